/* SPDX-License-Identifier: MIT */
/* The devices of NVIDIA's driver in a box: they are there for a program that
 * runs on a card, and for no other.  This machine may have no card, so the
 * test makes a /dev of its own, in a mount namespace, whose nodes of a card
 * are the kernel's zero device. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/box/canary.h"

enum { NO_DEVICES = 77 }; /* exit status of a test that was skipped */

static char folder[PATH_MAX];
static enum box_tier tier;
static char printed[1024]; /* by the script in the box that ran last */

/* Run a script in a box. */
static bool run_script(const char *script, enum box_kind kind, bool gpu)
{
    static struct box box;
    const struct limits limits = {.seconds = 300, .memory = 256u << 20,
                                  .processes = 16, .file = 16u << 20};
    char *const arguments[] = {"sh", "-c", (char *)(size_t)script, NULL};
    struct program program = {.path = "/bin/sh", .arguments = arguments};
    struct process process;
    int end, status = -1;

    box = (struct box){.tier = tier, .kind = kind, .folder = folder, .gpu = gpu,
                       .folder_bytes = 8 << 20, .folder_files = 100};
    program.environment = box_environment(folder, NULL);
    end = box_run(&box, &process, &program, &limits, &status);
    if (end < 0) {
        printf("%s\n", box.problem);
        return false;
    }
    text_format(printed, sizeof printed, "%s",
                process.out.text ? process.out.text : "");
    process_free(&process);
    return end == WAIT_ENDED;
}

/* The devices that a box may have, and one that none has; no program can list
 * the folder. */
#define LIST "cd /dev; for name in full kmsg null nvidia-uvm nvidia0 " \
             "nvidiactl urandom zero; do [ ! -e $name ] || echo $name; done; "

/* They can be used, and what the driver's library reads is there. */
static void card_is_there(void)
{
    CU_ASSERT_TRUE(run_script(LIST "head -c 4 nvidia0 | wc -c; echo x "
                              ">nvidiactl && ls -d /sys/bus/pci /sys/module; "
                              "head -n 1 /proc/devices",
                              BOX_RUN, true));
    CU_ASSERT_STRING_EQUAL(printed, "full\nnull\nnvidia-uvm\nnvidia0\n"
                                    "nvidiactl\nurandom\nzero\n4\n"
                                    "/sys/bus/pci\n/sys/module\n"
                                    "Character devices:\n");
}

/* A program of the soft device, and a compiler. */
static void nobody_else_has_it(void)
{
    CU_ASSERT_TRUE(run_script(LIST "ls /sys/bus", BOX_RUN, false));
    CU_ASSERT_STRING_EQUAL(printed, "full\nnull\nurandom\nzero\n");
    CU_ASSERT_TRUE(run_script(LIST, BOX_BUILD, true));
    CU_ASSERT_STRING_EQUAL(printed, "null\n");
}

/* A /dev for this process and its children alone. */
static bool make_devices(void)
{
    static const struct {
        const char *path;
        unsigned minor;
    } nodes[] = {{"/dev/null", 3}, {"/dev/zero", 5}, {"/dev/full", 7},
                 {"/dev/urandom", 9}, {"/dev/nvidiactl", 5},
                 {"/dev/nvidia0", 5}, {"/dev/nvidia-uvm", 5},
                 {"/dev/kmsg", 11}};
    enum { MEMORY_MAJOR = 1 }; /* of the kernel's list of devices */

    umask(0);
    if (unshare(CLONE_NEWNS)
        || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)
        || mount("tmpfs", "/dev", "tmpfs", 0, "mode=755"))
        return false;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (mknod(nodes[i].path, S_IFCHR | 0666,
                  makedev(MEMORY_MAJOR, nodes[i].minor)))
            return false;
    return !mkdir("/dev/shm", 01777);
}

int main(void)
{
    static const enum box_tier tiers[] = {TIER_A, TIER_B};
    CU_TestInfo tests[] = {{"a card", card_is_there},
                           {"without a card", nobody_else_has_it},
                           CU_TEST_INFO_NULL};
    char reason[BOX_REASON];
    int failed = 0, tested = 0;

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    if (!make_devices()) {
        perror("not tested: no devices can be made");
        return NO_DEVICES;
    }
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
        tier = tiers[i];
        if (!box_tier_is_offered(tier, reason)) {
            printf("not tested: %s\n", reason);
            continue;
        }
        printf("--- tier %s\n", box_tier_name(tier));
        failed |= run_tests("devices", tests);
        tested++;
    }
    return tested ? failed : NO_DEVICES;
}

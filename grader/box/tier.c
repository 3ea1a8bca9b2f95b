/* SPDX-License-Identifier: MIT */
/* The tiers, and which of them this machine can make. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

static const char *const names[TIERS] = {"D", "C", "B", "A"};

static enum box_tier in_use = TIER_D;

void box_use_tier(enum box_tier tier)
{
    in_use = tier;
}

enum box_tier box_tier_in_use(void)
{
    return in_use;
}

const char *box_tier_name(enum box_tier tier)
{
    return names[tier];
}

bool box_tier_parse(const char *name, enum box_tier *tier)
{
    for (int i = 0; i < TIERS; i++)
        if (!strcmp(name, names[i])) {
            *tier = (enum box_tier)i;
            return true;
        }
    return false;
}

const char *box_tier_words(enum box_tier tier)
{
    static const char *const words[TIERS] = {
        "tier D, a self-test: process limits, seccomp, Landlock where the "
        "kernel has it",
        "tier C: a user id of its own, Landlock, seccomp, process limits; no "
        "namespaces",
        "tier B: bubblewrap (user, process, network, IPC, mount namespaces), "
        "seccomp, Landlock where the kernel has it, process limits and a "
        "watchdog; no control group",
        "tier A: a user id of its own, bubblewrap (user, process, network, "
        "IPC, mount namespaces), a control group (memory, processes, "
        "processors), seccomp, Landlock where the kernel has it, process "
        "limits"};

    return words[tier];
}

char *const *box_environment(const char *folder, const char *const *passed)
{
    enum { FIXED = 5, MAX = 16 };
    static char text[FIXED + MAX][PATH_MAX + 32];
    static char *environment[FIXED + MAX + 1];
    int count = FIXED;

    text_format(text[0], sizeof *text,
                "PATH=/usr/local/cuda/bin:/usr/bin:/bin");
    text_format(text[1], sizeof *text, "HOME=%s", folder);
    text_format(text[2], sizeof *text, "TMPDIR=%s", folder);
    text_format(text[3], sizeof *text, "LC_ALL=C");
    text_format(text[4], sizeof *text, "SOURCE_DATE_EPOCH=1");
    for (; passed && *passed && count < FIXED + MAX; passed++)
        if (getenv(*passed))
            text_format(text[count++], sizeof *text, "%s=%s", *passed,
                        getenv(*passed));
    for (int i = 0; i < count; i++)
        environment[i] = text[i];
    environment[count] = NULL;
    return environment;
}

/* The list of mounts shows those below this process's root folder: the root is
 * one of them, unless it is a folder of another file system. */
static bool is_in_chroot(void)
{
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    char line[2 * PATH_MAX], place[PATH_MAX];
    bool found = !mounts;

    while (!found && fgets(line, sizeof line, mounts))
        found = sscanf(line, "%*s %*s %*s %*s %4095s", place) == 1
                && !strcmp(place, "/");
    if (mounts)
        fclose(mounts);
    return !found;
}

const char *box_chroot_advice(void)
{
    return !is_in_chroot() ? "" :
           "; this is a chroot, in which the kernel makes no user namespace: "
           "run warpbook in a container instead (podman run, systemd-nspawn), "
           "or with --tier C in a chroot that holds nothing else";
}

/* A box in which nothing is done, as its proof. */
static bool try_tier(enum box_tier tier, char *reason)
{
    static struct box box;
    char folder[PATH_MAX];
    char *const arguments[] = {"true", NULL};
    const struct program program = {.path = "/usr/bin/true",
                                    .arguments = arguments};
    const struct limits limits = {.seconds = 30, .memory = 256u << 20,
                                  .processes = 8, .file = 1 << 20};
    struct program with = program;
    struct process process;
    int status = 0, end;

    if (!temp_dir_create(folder)) {
        text_format(reason, BOX_REASON, "no temporary folder can be made");
        return false;
    }
    box = (struct box){.tier = tier, .kind = BOX_RUN, .folder = folder,
                       .folder_bytes = 1 << 20, .folder_files = 16};
    with.environment = box_environment(folder, NULL);
    end = box_run(&box, &process, &with, &limits, &status);
    if (end < 0)
        text_format(reason, BOX_REASON, "%s", box.problem);
    else if (end != WAIT_ENDED || status != 0)
        text_format(reason, BOX_REASON,
                    "no box of tier %s: a program ended in it with wait status "
                    "%#x", box_tier_name(tier), (unsigned)status);
    if (end >= 0)
        process_free(&process);
    return end == WAIT_ENDED && status == 0;
}

bool box_tier_is_offered(enum box_tier tier, char *reason)
{
    static struct {
        bool is_known, is_offered;
        char reason[BOX_REASON];
    } known[TIERS];

    /* what fails once, for a descriptor or memory that is free again, would
     * choose a weaker tier */
    if (!known[tier].is_known)
        known[tier].is_offered = try_tier(tier, known[tier].reason)
                                 || try_tier(tier, known[tier].reason);
    known[tier].is_known = true;
    if (known[tier].is_offered)
        *known[tier].reason = 0;
    if (reason)
        text_format(reason, BOX_REASON, "%s", known[tier].reason);
    return known[tier].is_offered;
}

enum box_tier box_best_tier(void)
{
    return box_tier_is_offered(TIER_A, NULL)   ? TIER_A
           : box_tier_is_offered(TIER_B, NULL) ? TIER_B
                                               : TIER_D;
}

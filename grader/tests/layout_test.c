/* SPDX-License-Identifier: MIT */
/* A box in folders that it also has as its own: where the grader's temporary
 * folder lies in /tmp or /dev/shm, as on a node of a cluster. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/box/box.h"

enum { FILES = 40 };

static enum box_tier tier;

/* The output of a shell in a box below `parent`, whose file `given` it may
 * read; "" when there is no box. */
static void run_below(const char *parent, const char *script,
                      char printed[4096])
{
    static const struct limits limits = {.seconds = 300,
                                         .memory = 256u << 20,
                                         .processes = 16, .file = 1 << 20};
    char folder[PATH_MAX], given[PATH_MAX];
    char *const arguments[] = {"sh", "-c", (char *)(size_t)script, NULL};
    struct program program = {.path = "/bin/sh", .arguments = arguments};
    static struct box box;
    struct process process;
    int status;

    text_format(folder, sizeof folder, "%s/run.1", parent);
    text_format(given, sizeof given, "%s/given", parent);
    box = (struct box){.tier = tier, .kind = BOX_RUN, .folder = folder,
                       .folder_bytes = 8 << 20, .folder_files = FILES};
    box_add_readable(&box, given);
    program.environment = box_environment(folder, NULL);
    *printed = 0;
    if (box_run(&box, &process, &program, &limits, &status) < 0) {
        printf("%s\n", box.problem);
        return;
    }
    text_format(printed, 4096, "%s",
                process.out.text ? process.out.text : "");
    process_free(&process);
}

/* The file is there and cannot be written; the three folders can, and hold
 * FILES files together. */
static void check_below(const char *parent)
{
    char made[PATH_MAX], given[PATH_MAX], script[2 * PATH_MAX], printed[4096];

    text_format(made, sizeof made, "%s/warpbook-layout.XXXXXX", parent);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(made));
    text_format(given, sizeof given, "%s/given", made);
    CU_ASSERT_TRUE(chmod(made, 0711) == 0 && write_file(given, "seen\n", 5));
    chmod(given, 0644);
    text_format(script, sizeof script,
                "cat %s; (echo x >%s) 2>/dev/null || echo closed; pwd; "
                "for f in here /tmp/there /dev/shm/too; do echo x >$f; done; "
                "ls here /tmp/there /dev/shm/too | wc -l; "
                "i=3; while (echo x >f$i) 2>/dev/null; do i=$((i+1)); done; "
                "echo $i", given, given);
    run_below(made, script, printed);
    text_format(script, sizeof script, "seen\nclosed\n%s/run.1\n3\n%d\n", made,
                FILES);
    CU_ASSERT_STRING_EQUAL(printed, script);
    unlink(given);
    rmdir(made);
}

static void below_tmp(void)
{
    check_below("/tmp");
}

static void below_shm(void)
{
    check_below("/dev/shm");
}

int main(void)
{
    CU_TestInfo each[] = {{"below /tmp", below_tmp},
                          {"below /dev/shm", below_shm},
                          CU_TEST_INFO_NULL};
    static const enum box_tier tiers[] = {TIER_A, TIER_B};
    char reason[BOX_REASON];
    int failed = 0;

    if (!paths_init())
        return 2;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (size_t i = 0; i < 2; i++) {
        tier = tiers[i];
        if (!box_tier_is_offered(tier, reason)) {
            printf("not tested: %s\n", reason);
            continue;
        }
        printf("--- tier %s\n", box_tier_name(tier));
        failed |= run_tests("layout", each);
    }
    return failed;
}

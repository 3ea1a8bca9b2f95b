/* SPDX-License-Identifier: MIT */
/* Boxes: each limit holds, nothing outlives a box, and no box is weaker than
 * asked.  A box that this machine cannot make is skipped with a line. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/box/canary.h"
#include "left_behind.h"

static char folder[PATH_MAX];
static enum box_tier tier; /* of the tests that run now */

/* Result of a shell in a box. */
struct outcome {
    int end, status;
    char printed[4096], problem[BOX_REASON];
    bool over_memory, over_processes, complete;
};

static const struct limits usual = {.seconds = 300, .memory = 256u << 20,
                                    .processes = 16, .file = 16u << 20};

/* Runs a shell script in a box; `change` may set more. */
static struct outcome run_script(const char *script,
                                 const struct limits *limits,
                                 void (*change)(struct box *))
{
    static struct box box;
    char *const arguments[] = {"sh", "-c", (char *)(size_t)script, NULL};
    struct program program = {.path = "/bin/sh", .arguments = arguments};
    struct outcome outcome = {0};
    struct process process;

    box = (struct box){.tier = tier, .kind = BOX_RUN, .folder = folder,
                       .folder_bytes = 8 << 20, .folder_files = 100};
    if (change)
        change(&box);
    program.environment = box_environment(folder, NULL);
    outcome.end = box_run(&box, &process, &program, limits, &outcome.status);
    text_format(outcome.problem, BOX_REASON, "%s", box.problem);
    if (outcome.end < 0)
        return outcome;
    text_format(outcome.printed, sizeof outcome.printed, "%s",
                process.out.text ? process.out.text : "");
    outcome.over_memory = process.over_memory;
    outcome.over_processes = process.over_processes;
    outcome.complete = box.outputs_complete;
    process_free(&process);
    return outcome;
}

static void canary_is_refused(void)
{
    char reason[BOX_REASON];

    prctl(PR_SET_DUMPABLE, 0);
    CU_ASSERT_TRUE(box_verify(tier, NULL, reason));
    CU_ASSERT_STRING_EQUAL(reason, "");
    prctl(PR_SET_DUMPABLE, 1);
}

static void statuses_are_exact(void)
{
    struct outcome outcome = run_script("echo out; exit 7", &usual, NULL);

    CU_ASSERT_EQUAL(outcome.end, WAIT_ENDED);
    CU_ASSERT_TRUE(WIFEXITED(outcome.status));
    CU_ASSERT_EQUAL(WEXITSTATUS(outcome.status), 7);
    CU_ASSERT_STRING_EQUAL(outcome.printed, "out\n");
    outcome = run_script("kill -SEGV $$", &usual, NULL);
    CU_ASSERT_TRUE(WIFSIGNALED(outcome.status));
    CU_ASSERT_EQUAL(WTERMSIG(outcome.status), SIGSEGV);
    outcome = run_script("exit 139", &usual, NULL);
    CU_ASSERT_TRUE(WIFEXITED(outcome.status)); /* no signal, see above */
}

/* Only what was named is there. */
static void sees_named_files_only(void)
{
    char planted[] = "/tmp/box_test.XXXXXX";
    const int file = mkstemp(planted);
    struct outcome outcome = run_script(
        "ls / /dev; ls /etc; cat /proc/sys/kernel/hostname; id -u; ls .",
        &usual, NULL);

    CU_ASSERT_STRING_EQUAL(outcome.printed,
                           tier < TIER_B ? outcome.printed : "box\n1000\n");
    CU_ASSERT_PTR_NULL(strstr(outcome.printed, "passwd"));
    /* of /tmp, only what leads to a tree or to temporary files below it */
    outcome = run_script("ls /tmp", &usual, NULL);
    CU_ASSERT_PTR_NULL(strstr(outcome.printed, planted + strlen("/tmp/")));
    CU_ASSERT(file >= 0 && close(file) == 0 && unlink(planted) == 0);
}

/* --- limits --------------------------------------------------------------- */

static void time_is_limited(void)
{
    struct limits limits = usual;

    limits.seconds = 0.3;
    CU_ASSERT_EQUAL(run_script("while :; do :; done", &limits, NULL).end,
                    WAIT_TIMEOUT);
    CU_ASSERT_EQUAL(run_script("kill -STOP $$", &limits, NULL).end,
                    WAIT_TIMEOUT);
}

static void memory_is_limited(void)
{
    struct limits limits = usual;
    struct outcome outcome;

    limits.memory = 64u << 20;
    outcome = run_script("head -c 500000000 /dev/zero | tail -c 400000000 "
                         ">/dev/null", &limits, NULL);
    CU_ASSERT_TRUE(outcome.over_memory || outcome.end == WAIT_MEMORY_LIMIT);
    if (tier == TIER_A) { /* by the kernel, however slow the grader looks */
        limits.memory = 16u << 20;
        outcome = run_script("x=$(head -c 200000000 /dev/zero | tr '\\0' a); "
                             "echo alive", &limits, NULL);
        CU_ASSERT_PTR_NULL(strstr(outcome.printed, "alive"));
    }
}

static void outputs_are_limited(void)
{
    struct outcome outcome = run_script("yes", &usual, NULL);

    CU_ASSERT_EQUAL(outcome.end, WAIT_OUTPUT_LIMIT);
    outcome = run_script("yes >&2", &usual, NULL);
    CU_ASSERT_EQUAL(outcome.end, WAIT_OUTPUT_LIMIT);
}

static void use_quarter(struct box *box)
{
    box->processors = 0.25;
}

/* A quarter of a processor: 0.4 s of work take more than a second. */
static void processors_are_limited(void)
{
    double start = clock_seconds(), minutes = 0, seconds = 0;
    struct outcome outcome;

    if (tier != TIER_A)
        return; /* not promised */
    outcome = run_script("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; "
                         "times", &usual, use_quarter);
    CU_ASSERT_EQUAL(outcome.end, WAIT_ENDED);
    start = clock_seconds() - start;
    CU_ASSERT_EQUAL(sscanf(outcome.printed, "%lfm%lfs", &minutes, &seconds), 2);
    CU_ASSERT_TRUE(start > 2 * (60 * minutes + seconds));
}

/* The number in a file of the box's control group, of version 2 or 1, or 0. */
static double group_number(const struct box *box, const char *name,
                           const char *name_1)
{
    char path[GROUP_PATH + 64];
    double number = 0;

    for (int i = 0; i < 2 * box->group.count && !number; i++) {
        text_format(path, sizeof path, "%s/%s", box->group.folder[i / 2],
                    i % 2 ? name_1 : name);
        FILE *file = fopen(path, "re");
        if (file && fscanf(file, "%lf", &number) != 1)
            number = 0;
        if (file)
            fclose(file);
    }
    return number;
}

/* The kernel knows the limits: it ends a box that the grader looks at late. */
static void kernel_knows_limits(void)
{
    static struct box box;
    char *arguments[] = {"sleep", "300", NULL};
    struct program program = {.path = "/bin/sleep", .arguments = arguments};
    struct process process;

    if (tier != TIER_A)
        return; /* not promised */
    box = (struct box){.tier = tier, .kind = BOX_RUN, .folder = folder,
                       .folder_bytes = 8 << 20, .folder_files = 100,
                       .processors = 0.25, .threads = 40};
    program.environment = box_environment(folder, NULL);
    CU_ASSERT_FATAL(box_start(&box, &process, &program, &usual));
    CU_ASSERT_EQUAL(group_number(&box, "memory.max", "memory.limit_in_bytes"),
                    usual.memory + (8 << 20) + BOX_OVERHEAD_MEMORY);
    CU_ASSERT_EQUAL(group_number(&box, "pids.max", "pids.max"),
                    40 + BOX_OVERHEAD_PROCESSES);
    CU_ASSERT_EQUAL(group_number(&box, "cpu.max", "cpu.cfs_quota_us"), 25000);
    process_stop(&process, 0);
    process_free(&process);
}

/* While the script runs.
 *  @param seconds  to wait until it is; a busy machine starts a box late */
static bool is_full(const char *script, double seconds)
{
    const double end = clock_seconds() + seconds;
    static struct box box;
    char *const arguments[] = {"sh", "-c", (char *)(size_t)script, NULL};
    struct program program = {.path = "/bin/sh", .arguments = arguments};
    struct process process;
    bool full, ended;

    box = (struct box){.tier = tier, .kind = BOX_RUN, .folder = folder,
                       .folder_bytes = 1 << 20, .folder_files = 20};
    program.environment = box_environment(folder, NULL);
    if (!box_start(&box, &process, &program, &usual))
        return false;
    do {
        ended = process_wait(&process, 0, clock_seconds() + 0.1)
                != WAIT_TIMEOUT;
        full = box_folder_is_full(&box);
    } while (!full && !ended && clock_seconds() < end);
    process_stop(&process, 0);
    process_free(&process);
    return full;
}

/* While the program still runs; also when it hides its files. */
static void full_folder_is_seen(void)
{
    const bool seen = tier >= TIER_B;
    const double most = seen ? 240 : 0.5;

    CU_ASSERT_EQUAL(is_full("for i in $(seq 99); do : >$i; done; sleep 300",
                            most), seen);
    CU_ASSERT_EQUAL(is_full("exec 5>x; rm x; cat /dev/zero >&5; sleep 300",
                            most), seen);
    CU_ASSERT_FALSE(is_full("for i in 1 2 3; do : >$i; done; sleep 300", 0.5));
}

/* --- what comes out ------------------------------------------------------- */

static int copied_fd[2];

static void copy_two(struct box *box)
{
    char path[PATH_MAX + 16];

    for (int i = 0; i < 2; i++) {
        text_format(path, sizeof path, "%s.copy%d", folder, i);
        copied_fd[i] = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        box->output[i].fd = fcntl(copied_fd[i], F_DUPFD_CLOEXEC, 0);
        unlink(path);
    }
    box->output[0].name = "one";
    box->output[1].name = "two";
    box->outputs = 2;
}

static void outputs_are_copied(void)
{
    char text[16] = "";
    struct outcome outcome =
        run_script("echo 1 >one; echo 2 >two", &usual, copy_two);

    CU_ASSERT_TRUE(outcome.complete);
    CU_ASSERT_EQUAL(pread(copied_fd[1], text, 15, 0), 2);
    CU_ASSERT_STRING_EQUAL(text, "2\n");
    outcome =
        run_script("rm -f one two; echo 1 >one; ln -s /etc/ld.so.cache two",
                   &usual, copy_two);
    CU_ASSERT_FALSE(outcome.complete);
    CU_ASSERT_EQUAL(lseek(copied_fd[1], 0, SEEK_END), 0);
    outcome =
        run_script("rm -f one two; mkfifo one; echo 2 >two", &usual, copy_two);
    CU_ASSERT_FALSE(outcome.complete);
}

/* --- what is left --------------------------------------------------------- */

/* A daemon, its child and a file: all end with the box, however it ends. */
static void nothing_is_left(void)
{
    struct limits limits = usual;
    char sleep[32], file[32], script[256], text[300];

    /* names of this process: another one may test boxes at the same time */
    text_format(sleep, sizeof sleep, "sleep 77.%07d", (int)getpid());
    text_format(file, sizeof file, "left-by-box.%d", (int)getpid());
    text_format(script, sizeof script, "(setsid sh -c '%s & %s' >/dev/null "
                "2>&1 &); echo x >/tmp/%s; sleep 0.2; ", sleep, sleep, file);
    text_format(text, sizeof text, "%sexit 0", script);
    CU_ASSERT_EQUAL(run_script(text, &usual, NULL).end, WAIT_ENDED);
    CU_ASSERT_EQUAL(left_processes(sleep + strlen("sleep ")), 0);
    limits.seconds = 0.5;
    text_format(text, sizeof text, "%s%s", script, sleep);
    CU_ASSERT_EQUAL(run_script(text, &limits, NULL).end, WAIT_TIMEOUT);
    CU_ASSERT_EQUAL(left_processes(sleep + strlen("sleep ")), 0);
    CU_ASSERT_EQUAL(left_groups(), 0);
    CU_ASSERT_EQUAL(left_names("/tmp", file), 0);
}

/* --- refusals ------------------------------------------------------------- */

static void unlimited_is_refused(void)
{
    struct limits limits = usual;
    struct outcome outcome;

    limits.memory = 0;
    outcome = run_script("true", &limits, NULL);
    CU_ASSERT_EQUAL(outcome.end, -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.problem, "limits"));
    outcome = run_script("exec /no/such/program", &usual, NULL);
    CU_ASSERT_EQUAL(WEXITSTATUS(outcome.status), 127);
}

static void add_missing(struct box *box)
{
    box_add_readable(box, "/no/such/file");
}

static void missing_file_is_refused(void)
{
    struct outcome outcome = run_script("true", &usual, add_missing);

    if (tier < TIER_B)
        return; /* nothing is mounted */
    CU_ASSERT_EQUAL(outcome.end, -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.problem, "no box of tier"));
}

static const enum box_tier all_tiers[] = {TIER_A, TIER_B, TIER_C, TIER_D};

/* An ordinary user gets no box of tier A or C: a refusal, not a weaker one. */
static void user_is_refused(void)
{
    int status = 1;
    pid_t child;

    if (geteuid() != 0)
        return;
    child = fork();
    if (child == 0) {
        bool fine = process_drop_privileges(599990);

        for (int i = 0; i < 4 && fine; i += 2) {
            tier = all_tiers[i];
            const struct outcome none = run_script("true", &usual, NULL);
            fine = strstr(none.problem, "no box of tier")
                   && strstr(none.problem, "root");
        }
        _exit(!fine);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
}

int main(void)
{
    CU_TestInfo each[] = {{"the canary", canary_is_refused},
                          {"statuses", statuses_are_exact},
                          {"named files", sees_named_files_only},
                          {"time", time_is_limited},
                          {"memory", memory_is_limited},
                          {"outputs", outputs_are_limited},
                          {"processors", processors_are_limited},
                          {"limits of the kernel", kernel_knows_limits},
                          {"a full folder", full_folder_is_seen},
                          {"copies", outputs_are_copied},
                          {"nothing left", nothing_is_left},
                          {"no limits", unlimited_is_refused},
                          {"a missing file", missing_file_is_refused},
                          CU_TEST_INFO_NULL};
    CU_TestInfo refusals[] = {{"an ordinary user", user_is_refused},
                              CU_TEST_INFO_NULL};
    char reason[BOX_REASON];
    int failed = 0;

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (size_t i = 0; i < 4; i++) {
        tier = all_tiers[i];
        if (tier != TIER_D && !box_tier_is_offered(tier, reason)) {
            printf("not tested: %s\n", reason);
            continue;
        }
        printf("--- tier %s\n", box_tier_name(tier));
        failed |= run_tests("box", each);
    }
    return failed | run_tests("box refusals", refusals);
}

/* SPDX-License-Identifier: MIT */
/* The sandbox fails closed: its canary sees an open one, and no program starts
 * where its user cannot be dropped. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/oom.h"
#include "common/base/paths.h"
#include "common/base/process.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/box/box.h"
#include "grader/box/command_line.h"
#include "grader/session/canary.h"

static char folder[PATH_MAX];

static const struct limits closed = {.seconds = 300, .memory = 1 << 30,
                                     .processes = 8, .drop_user = true};

static void closed_sandbox(void)
{
    char reason[400] = "";

    prctl(PR_SET_DUMPABLE, 0);
    CU_ASSERT_TRUE(canary_is_refused(&closed, folder, reason, sizeof reason));
    CU_ASSERT_STRING_EQUAL(reason, "");
    prctl(PR_SET_DUMPABLE, 1);
}

/* Of our own user, beside a process that allows it: all acts succeed. */
static void open_sandbox(void)
{
    struct limits limits = closed;
    char reason[400] = "";

    limits.drop_user = false;
    prctl(PR_SET_DUMPABLE, 1);
    CU_ASSERT_FALSE(canary_is_refused(&limits, folder, reason, sizeof reason));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "read the grader's memory"));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "write the grader's memory"));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "open the grader's memory"));
    CU_ASSERT_PTR_NOT_NULL(strstr(reason, "trace the grader"));
    if (geteuid() == 0)
        CU_ASSERT_PTR_NOT_NULL(strstr(reason, "keep capabilities"));
}

/* The canary tells what it can do also by its exit status: here it may at least
 * read the memory of its own process. */
static void status_of_an_open_sandbox(void)
{
    uint64_t word = 0;
    char pid[32], address[32];
    char *arguments[] = {pid, address, NULL};

    snprintf(pid, sizeof pid, "%d", (int)getpid());
    snprintf(address, sizeof address, "%lx", (unsigned long)&word);
    CU_ASSERT_EQUAL(canary_main(2, arguments), 1);
}

static void write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        perror(path);
    if (fd >= 0)
        close(fd);
}

/* A container whose root is a user of ours, without other users: a submission
 * runs as that user, without capabilities, and the grade is a self-test.
 *  @return exit status: 0 when all acts of the canary were refused */
static int try_rootless_container(void)
{
    char map[64], reason[400] = "";
    const char *words;

    snprintf(map, sizeof map, "0 %d 1", (int)getuid());
    if (unshare(CLONE_NEWUSER)) {
        printf("no user namespace can be made here: not tested\n");
        return 0;
    }
    write_text("/proc/self/setgroups", "deny");
    write_text("/proc/self/uid_map", map);
    prctl(PR_SET_DUMPABLE, 0); /* as isolate_process() does */
    words = sandbox_self_test();
    if (canary_is_refused(&closed, folder, reason, sizeof reason)
        && words && strstr(words, "the grader's own user"))
        return 0;
    printf("%s; self-test: %s\n", reason, words ? words : "no");
    return 1;
}

/* Gives up one capability of root, which stays root.  @return its success */
static bool lose(int capability)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];

    if (syscall(SYS_capget, &header, sets))
        return false;
    sets[0].effective &= ~(1u << capability);
    sets[0].permitted &= ~(1u << capability);
    return syscall(SYS_capset, &header, sets) == 0;
}

/* Root of a container that may change no user, or no owner. */
static int try_without(int capability)
{
    char reason[400] = "";

    return !lose(capability)
           || canary_is_refused(&closed, folder, reason, sizeof reason)
           || !strstr(reason, "cannot be made: Operation not permitted");
}

static int try_without_setuid(void)
{
    return try_without(CAP_SETUID);
}

static int try_without_chown(void)
{
    return try_without(CAP_CHOWN);
}

/* A capability that the kernel would hand to every program that is started,
 * also after root is given up. */
static int try_with_ambient(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    char reason[400] = "";

    if (syscall(SYS_capget, &header, sets))
        return 1;
    sets[0].inheritable |= 1u << CAP_SYS_PTRACE;
    if (syscall(SYS_capset, &header, sets)
        || prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP)
        || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_PTRACE, 0, 0))
        return 1;
    return !canary_is_refused(&closed, folder, reason, sizeof reason);
}

static int run_forked(int (*attempt)(void))
{
    pid_t child = fork();
    int status = 1;

    if (child == 0)
        _exit(attempt());
    waitpid(child, &status, 0);
    return status != 0;
}

static int (*sheltered)(void);

/* The first process of a new process namespace, with a /proc of its own. */
static int run_sheltered(void)
{
    if (mount("proc", "/proc", "proc", 0, NULL))
        return 1;
    return run_forked(sheltered);
}

/* Where no process of this machine can be reached: an attempt that fails may
 * kill all that it can. */
static int shelter(void)
{
    if (unshare(CLONE_NEWPID | CLONE_NEWNS)
        || mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL)) {
        printf("no process namespace can be made here: not tested\n");
        return 0;
    }
    return run_forked(run_sheltered);
}

static void expect_success(int (*attempt)(void))
{
    sheltered = attempt;
    CU_ASSERT_EQUAL(run_forked(shelter), 0);
}

static void rootless_container(void)
{
    CU_ASSERT_EQUAL(run_forked(try_rootless_container), 0);
}

static void unprivileged_root(void)
{
    if (geteuid() != 0)
        return; /* nothing to give up */
    expect_success(try_without_setuid);
    expect_success(try_without_chown);
    expect_success(try_with_ambient);
}

/* Our group of version 1 or 2, in which a group with little memory is made. */
static bool make_group(char group[PATH_MAX])
{
    static const char *const limits[] = {"memory.max",
                                         "memory.limit_in_bytes"};
    char line[PATH_MAX] = "", path[PATH_MAX + 64], *at = NULL;
    FILE *file = fopen("/proc/self/cgroup", "r");

    while (file && fgets(line, sizeof line, file)
           && !(at = strstr(line, ":memory:")))
        ;
    if (file)
        fclose(file);
    if (!at)
        return false;
    at += strlen(":memory:");
    at[strcspn(at, "\n")] = 0;
    snprintf(group, PATH_MAX, "/sys/fs/cgroup/memory%.2000s/oom-test.%d", at,
             (int)getpid());
    if (mkdir(group, 0700))
        return false;
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", group, limits[i]);
        if (access(path, W_OK) == 0)
            write_text(path, "33554432");
    }
    return true;
}

/* In the group: a child that takes more than there is.
 *  @return exit status: 0 when it was killed, and that was counted */
static int exceed_memory(const char *group)
{
    char path[PATH_MAX + 64], pid[32];
    unsigned long before;
    int status = 0;
    pid_t child;

    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    write_text(path, pid);
    before = oom_kills();
    child = fork();
    if (child == 0) {
        volatile char *block = malloc((size_t)256 << 20);

        for (size_t i = 0; block && i < (size_t)256 << 20; i += 4096)
            block[i] = 1;
        _exit(0);
    }
    waitpid(child, &status, 0);
    return !WIFSIGNALED(status) || oom_kills() != before + 1;
}

static void kernel_counts_kills(void)
{
    char group[PATH_MAX];
    int status = 1;
    pid_t child;

    CU_ASSERT_EQUAL(oom_kills(), oom_kills());
    if (!make_group(group)) {
        printf("no control group can be made here: not tested\n");
        return;
    }
    child = fork();
    if (child == 0)
        _exit(exceed_memory(group));
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    for (int i = 0; i < 100 && rmdir(group); i++)
        usleep(10000);
}

/* A box of tier C sees the folders as they are: below one that its user cannot
 * enter, root's home say, it refuses to start and names that folder. */
static void folder_above_is_closed(void)
{
    char *const arguments[] = {"true", NULL};
    struct program program = {.path = "/bin/true", .arguments = arguments};
    const struct limits limits = {.seconds = 300, .memory = 1 << 30,
                                  .processes = 8, .file = 1 << 20};
    static struct box box;
    char inner[PATH_MAX], named[PATH_MAX + 32], reason[BOX_REASON];
    struct process process;
    int status;

    if (!box_tier_is_offered(TIER_C, reason)) {
        printf("not tested: %s\n", reason);
        return;
    }
    text_format(inner, sizeof inner, "%s/inner", folder);
    mkdir(inner, 0700);
    chmod(folder, 0700);
    box = (struct box){.tier = TIER_C, .kind = BOX_RUN, .folder = inner};
    program.environment = box_environment(inner, NULL);
    CU_ASSERT_EQUAL(box_run(&box, &process, &program, &limits, &status), -1);
    text_format(named, sizeof named, "cannot enter %s: ", folder);
    CU_ASSERT_PTR_NOT_NULL(strstr(box.problem, named));
}

/* A runner has many threads; what compiles has as many as it is given. */
static void threads_of_boxes(void)
{
    const struct limits limits = {.processes = 9};
    const struct box build = {.kind = BOX_BUILD, .threads = 40};
    const struct box run = {.kind = BOX_RUN};
    const struct box few = {.kind = BOX_RUN, .threads = 40};

    CU_ASSERT_EQUAL(box_processes(&build, &limits), 9);
    CU_ASSERT_EQUAL(box_processes(&run, &limits), MAX_THREADS);
    CU_ASSERT_EQUAL(box_processes(&few, &limits), 40);
}

int main(void)
{
    CU_TestInfo tests[] = {{"a closed sandbox", closed_sandbox},
                           {"an open one", open_sandbox},
                           {"its status", status_of_an_open_sandbox},
                           {"a rootless container", rootless_container},
                           {"a root without its powers", unprivileged_root},
                           {"out-of-memory kills", kernel_counts_kills},
                           {"a closed folder above", folder_above_is_closed},
                           {"threads of boxes", threads_of_boxes},
                           CU_TEST_INFO_NULL};

    if (!paths_init() || !temp_dir_create(folder))
        return 2;
    return run_tests("canary", tests);
}

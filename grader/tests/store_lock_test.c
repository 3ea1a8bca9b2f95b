/* SPDX-License-Identifier: MIT */
/* Results folders on a file system without flock(): the kernel refuses the call
 * to this process, as a network file system does. */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/remove_tree.h"
#include "common/base/tests/run_tests.h"
#include "grader/autograde/store.h"

static char folder[] = "/tmp/store_lock_test.XXXXXX";
static struct failure failure;

/* The filter works. */
static void test_flock_is_refused(void)
{
    CU_ASSERT_EQUAL(flock(0, LOCK_SH), -1);
    CU_ASSERT_EQUAL(errno, ENOLCK);
}

/* Without flock(), a file is the lock. */
static void test_one_process_at_a_time(void)
{
    struct store first, second;

    CU_ASSERT_FATAL(store_open(folder, STORE_CREATE, &first, &failure));
    CU_ASSERT_FALSE(store_open(folder, STORE_WRITE, &second, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "is grading into"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "warpbook-lock"));
    CU_ASSERT(store_open(folder, STORE_READ, &second, &failure));
    store_close(&second);
    store_close(&first);
    CU_ASSERT(store_open(folder, STORE_WRITE, &second, &failure));
    store_close(&second);
}

/* A child that grades, and ends, does not release its parent's lock. */
static void test_a_child_keeps_the_lock(void)
{
    struct store first, second;
    int status;

    CU_ASSERT_FATAL(store_open(folder, STORE_WRITE, &first, &failure));
    if (fork() == 0) {
        store_close(&first);
        _exit(0);
    }
    wait(&status);
    CU_ASSERT_FALSE(store_open(folder, STORE_WRITE, &second, &failure));
    store_close(&first);
}

/* A killed process leaves it; the message says what to do. */
static void test_a_killed_process(void)
{
    struct store store;
    char pid[32];
    int status;
    pid_t child = fork();

    if (child == 0)
        _exit(!store_open(folder, STORE_WRITE, &store, &failure));
    wait(&status);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    CU_ASSERT_FALSE(store_open(folder, STORE_WRITE, &store, &failure));
    snprintf(pid, sizeof pid, "process %d of", (int)child);
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, pid));
}

/* As on a network file system without locks. */
static bool refuse_flock(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool ok = filter
              && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOLCK),
                                  SCMP_SYS(flock), 0) == 0
              && seccomp_load(filter) == 0;

    seccomp_release(filter);
    return ok;
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"flock() is refused", test_flock_is_refused},
        {"one process at a time", test_one_process_at_a_time},
        {"a child keeps the lock", test_a_child_keeps_the_lock},
        {"a killed process", test_a_killed_process}, CU_TEST_INFO_NULL};
    int failures;

    if (!mkdtemp(folder) || !refuse_flock())
        return 2;
    failures = run_tests("store lock", tests);
    remove_tree(folder);
    return failures;
}

/* SPDX-License-Identifier: MIT */
/* A program's tree: it is counted, ended as a whole, and costs few files. */
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/proc_files.h"
#include "common/base/process.h"
#include "common/base/process_pool.h"
#include "common/base/tests/run_tests.h"

enum { HELD = 32 << 20 /* bytes */ };

/* Starts a shell that runs this. */
static void start(struct process *process, const char *script)
{
    char *const arguments[] = {"sh", "-c", (char *)script, NULL};
    char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    const struct program program = {.path = "/bin/sh",
                                    .arguments = arguments,
                                    .environment = environment,
                                    .folder = "/"};
    const struct limits limits = {.seconds = 300, .file = 1 << 20,
                                  .memory = 1 << 30, .processes = 8};

    CU_ASSERT_EQUAL(process_start(process, &program, &limits), 0);
}

/* Waits until the tree has that many processes. */
static void expect_processes(const struct process *process, unsigned count)
{
    struct tree tree = {0};

    for (int i = 0; i < 120000 && tree.processes != count; i++) {
        usleep(1000);
        tree_read(process->pid, &tree);
    }
    CU_ASSERT_EQUAL(tree.processes, count);
    CU_ASSERT_EQUAL(tree.threads, count);
    CU_ASSERT_TRUE(tree.resident > 0);
}

/* Children and grandchildren, also after their parents have ended. */
static void counts_descendants(void)
{
    struct process process;
    struct tree tree;

    start(&process, "sleep 300 & (sleep 300; true) & wait");
    expect_processes(&process, 4);
    CU_ASSERT_TRUE(tree_read_root(&process, &tree));
    CU_ASSERT_EQUAL(tree.processes, 1);
    process_stop(&process, 0);
    process_free(&process);
    tree_read(getpid(), &tree);
    CU_ASSERT_EQUAL(tree.processes, 1);
}

/* A thread that uses memory while the first one has ended. */
static void *hold_memory(void *unused)
{
    volatile char *held = malloc(HELD);

    for (size_t i = 0; held && i < HELD; i += 4096)
        held[i] = 1;
    sleep(300);
    return unused;
}

/* /proc/PID/stat then says that the process has no memory. */
static void counts_without_first_thread(void)
{
    struct process process = {.pid = fork()};
    struct tree tree = {0}, root = {0};
    pthread_t thread;

    if (process.pid == 0 && !pthread_create(&thread, NULL, hold_memory, NULL))
        pthread_exit(NULL);
    process.program = process.pid;
    for (int i = 0; i < 120000
                    && (tree.resident < HELD || root.resident < HELD); i++) {
        usleep(1000);
        tree_read(process.pid, &tree);
        tree_read_root(&process, &root);
    }
    CU_ASSERT_TRUE(tree.resident >= HELD);
    CU_ASSERT_TRUE(root.resident >= HELD);
    kill(process.pid, SIGKILL);
    waitpid(process.pid, NULL, 0);
}

/* A descendant that left the session does not outlive the program, and is no
 * part of another program's tree. */
static void kills_orphans(void)
{
    struct process first, second;
    struct tree tree;

    start(&second, "sleep 300; true");
    start(&first, "setsid sleep 300 & sleep 0.1");
    CU_ASSERT_EQUAL(process_wait(&first, 0, clock_seconds() + 0.5),
                    WAIT_TIMEOUT); /* the orphan holds the pipes */
    expect_processes(&second, 2);
    process_stop(&first, 1);
    tree_read(getpid(), &tree);
    CU_ASSERT_EQUAL(tree.processes, 3);
    process_stop(&second, 0);
    process_free(&first);
    process_free(&second);
}

/* More children than are allowed end the program. */
static void limits_processes(void)
{
    struct process process;

    start(&process, "for i in 1 2 3 4 5 6 7 8 9; do sleep 300 & done; wait");
    CU_ASSERT_EQUAL(process_wait(&process, 0, clock_seconds() + 120),
                    WAIT_PROCESS_LIMIT);
    process_stop(&process, 0);
    process_free(&process);
}

/* A program that prints all the time is looked at as often as a silent one. */
static void limits_while_it_prints(void)
{
    struct process process;

    start(&process, "for i in 1 2 3 4 5 6 7 8 9; do sleep 300 & done\n"
                    "while :; do echo; done");
    process.limits.output = 1 << 24; /* many seconds of it */
    CU_ASSERT_EQUAL(process_wait(&process, 0, clock_seconds() + 120),
                    WAIT_PROCESS_LIMIT);
    process_stop(&process, 0);
    process_free(&process);
}

/* Does a child that holds memory leave less of it? */
static bool is_growth_seen(void)
{
    const struct machine_use before = machine_use_now();
    const pid_t child = fork();
    bool seen = false;

    if (child == 0) {
        hold_memory(NULL);
        _exit(0);
    }
    for (int i = 0; i < 10000 && !seen; i++) {
        usleep(1000);
        seen = machine_use_grew(&before, 20000, HELD / 2);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return seen;
}

/* More processes, or less free memory, are seen without reading the tree. */
static void notices_growth(void)
{
    const struct machine_use now = machine_use_now();
    enum wait_result found = WAIT_READY;
    struct process process;
    bool seen = false;

    CU_ASSERT_FALSE(machine_use_grew(&now, 20000, (size_t)1 << 50));
    for (int i = 0; i < 20 && !seen; i++) /* others free memory meanwhile */
        seen = is_growth_seen();
    CU_ASSERT_TRUE(seen);
    for (int i = 0; i < 5 && found != WAIT_PROCESS_LIMIT; i++) {
        start(&process, "for i in $(seq 60); do sleep 300 & done; wait");
        process.next_look = process.started;
        process.next_check = process.started + 1e6;
        found = process_wait(&process, 0, clock_seconds() + 60);
        process_stop(&process, 0);
        process_free(&process);
    }
    CU_ASSERT_EQUAL(found, WAIT_PROCESS_LIMIT);
}

/* How many files this process has open. */
static int count_open(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* A file of /proc is opened once, and closed when its process has ended. */
static void keeps_files_of_proc(void)
{
    const int before = count_open();
    char path[64], text[256];
    pid_t child = fork();

    if (child == 0)
        for (;;)
            pause();
    snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_TRUE(proc_read(path, text, sizeof text));
        CU_ASSERT_EQUAL(atoi(text), child);
    }
    proc_close_ended();
    CU_ASSERT_EQUAL(count_open(), before + 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CU_ASSERT_FALSE(proc_read(path, text, sizeof text));
    CU_ASSERT_STRING_EQUAL(text, "");
    proc_close_ended();
    CU_ASSERT_EQUAL(count_open(), before);
}

/* Waits until the program of the process sleeps, which exec() began. */
static void expect_sleeping(const struct process *process)
{
    char path[64], text[256] = "";

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process->program);
    for (int i = 0; i < 120000 && !strstr(text, " (sleep) S "); i++) {
        usleep(1000);
        proc_read(path, text, sizeof text);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " (sleep) S "));
}

/* A program that sleeps does not wait for a processor; of several that spin on
 * one processor each does. */
static void counts_waiting(void)
{
    struct process process;
    cpu_set_t one, all;

    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
    start(&process, "while :; do :; done & while :; do :; done & "
                    "while :; do :; done");
    sched_setaffinity(0, sizeof all, &all);
    process.limits.seconds = 0.9;
    process_start_clock(&process);
    CU_ASSERT_TRUE(isnan(process.delay_start)); /* a short call opens no file */
    CU_ASSERT_EQUAL(process_wait(&process, 0, clock_seconds() + 0.9),
                    WAIT_TIMEOUT);
    CU_ASSERT_FALSE(isnan(process.delay_start));
    CU_ASSERT_TRUE(process_starved(&process) > 0.2);
    process_stop(&process, 0);
    process_free(&process);
    start(&process, "exec sleep 300");
    expect_sleeping(&process);
    process.limits.seconds = 0.3;
    process_start_clock(&process);
    CU_ASSERT_EQUAL(process_wait(&process, 0, clock_seconds() + 0.3),
                    WAIT_TIMEOUT);
    CU_ASSERT_FALSE(isnan(process.delay_start));
    CU_ASSERT_TRUE(process_starved(&process) < 0.2);
    process_stop(&process, 0);
    process_free(&process);
}

/* A worker that ends at a signal only; the pipe is open as long as it lives. */
static void wait_for_signal(void *end, size_t index)
{
    (void)index;
    if (write(*(int *)end, "", 1) == 1)
        while (!interrupted())
            usleep(1000);
}

/* Workers of a pool do not outlive their parent, not even one that is
 * killed. */
static void workers_end_with_parent(void)
{
    int ends[2] = {-1, -1};
    struct pollfd polled = {.events = POLLIN};
    char byte;
    pid_t pool;

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    pool = fork();
    if (pool == 0) {
        process_pool_run(1, wait_for_signal, &ends[1]);
        _exit(0);
    }
    close(ends[1]);
    polled.fd = ends[0];
    CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 1); /* the worker runs */
    kill(pool, SIGKILL);
    waitpid(pool, NULL, 0);
    CU_ASSERT_EQUAL(poll(&polled, 1, 60000), 1);
    CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 0); /* the worker has ended */
    close(ends[0]);
}

int main(void)
{
    CU_TestInfo tests[] = {{"descendants are counted", counts_descendants},
                           {"without a first thread",
                            counts_without_first_thread},
                           {"orphans are killed", kills_orphans},
                           {"processes are limited", limits_processes},
                           {"also while it prints", limits_while_it_prints},
                           {"growth is noticed", notices_growth},
                           {"files of /proc are kept", keeps_files_of_proc},
                           {"waiting is counted", counts_waiting},
                           {"workers end with their parent",
                            workers_end_with_parent},
                           CU_TEST_INFO_NULL};

    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return run_tests("process", tests);
}

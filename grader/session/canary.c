/* SPDX-License-Identifier: MIT */
/* The sandbox's canary: see canary.h. */
#include "canary.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/text.h"
#include "grader/box/box.h"

/* Memory of the grader that the canary tries to read and to change. */
static volatile uint64_t target_word;

/* --- the acts, in the canary's process ----------------------------------- */

static bool reads_memory(pid_t grader, uintptr_t address)
{
    uint64_t word;
    struct iovec here = {&word, sizeof word};
    struct iovec there = {(void *)address, sizeof word};

    return process_vm_readv(grader, &here, 1, &there, 1, 0) > 0;
}

static bool writes_memory(pid_t grader, uintptr_t address)
{
    uint64_t word = 1;
    struct iovec here = {&word, sizeof word};
    struct iovec there = {(void *)address, sizeof word};

    return process_vm_writev(grader, &here, 1, &there, 1, 0) > 0;
}

static bool opens_memory(pid_t grader, uintptr_t address)
{
    char path[64];
    int fd;

    (void)address;
    snprintf(path, sizeof path, "/proc/%d/mem", (int)grader);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool traces(pid_t grader, uintptr_t address)
{
    (void)address;
    if (ptrace(PTRACE_SEIZE, grader, NULL, NULL))
        return false;
    ptrace(PTRACE_DETACH, grader, NULL, NULL);
    return true;
}

/* Any is permitted, or that cannot be found out. */
static bool has_capabilities(pid_t grader, uintptr_t address)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {{0}};

    (void)grader;
    (void)address;
    return syscall(SYS_capget, &header, sets)
           || (sets[0].permitted | sets[1].permitted);
}

static bool may_gain_privileges(pid_t grader, uintptr_t address)
{
    (void)grader;
    (void)address;
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

static const struct {
    const char *words;
    bool (*succeeds)(pid_t grader, uintptr_t address);
} acts[] = {{"read the grader's memory", reads_memory},
            {"write the grader's memory", writes_memory},
            {"open the grader's memory", opens_memory},
            {"trace the grader", traces},
            {"keep capabilities", has_capabilities},
            {"gain privileges by execve", may_gain_privileges}};

int canary_main(int argc, char **argv)
{
    pid_t grader = argc > 0 ? (pid_t)atoi(argv[0]) : 0;
    uintptr_t address = argc > 1 ? strtoull(argv[1], NULL, 16) : 0;
    const char *comma = "";

    if (grader <= 1 || !address)
        return 1;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        if (!acts[i].succeeds(grader, address))
            continue;
        printf("%s%s", comma, acts[i].words);
        comma = ", ";
    }
    return *comma || fflush(stdout) ? 1 : CANARY_REFUSED;
}

/* --- the grader's side ---------------------------------------------------- */

static void explain(const struct process *process, int end, int status,
                    char *reason, size_t bytes)
{
    const char *acts_done = process->out.text ? process->out.text : "";

    if (end < 0)
        text_format(reason, bytes, "it cannot be made: %s", strerror(-end));
    else if (*acts_done)
        text_format(reason, bytes, "in it a program can %.300s", acts_done);
    else
        text_format(reason, bytes, "its canary ended with wait status %#x",
                    (unsigned)status);
    make_printable(reason);
}

bool canary_is_refused(const struct limits *limits, const char *folder,
                       char *reason, size_t bytes)
{
    char path[PATH_MAX], pid[32], address[32];
    char *const arguments[] = {"warpbook", CANARY_VERB, pid, address, NULL};
    char *const environment[] = {NULL};
    const struct program program = {.path = path, .arguments = arguments,
                                    .environment = environment,
                                    .folder = folder};
    struct limits own = *limits;
    struct process process;
    int status = 0, end;
    bool refused;

    target_word = 0;
    own.address_space = 0; /* a sanitized canary reserves terabytes */
    snprintf(path, sizeof path, "%s/warpbook", program_root());
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    snprintf(address, sizeof address, "%lx", (unsigned long)&target_word);
    end = process_run(&process, &program, &own, &status);
    refused = end == WAIT_ENDED && WIFEXITED(status)
              && WEXITSTATUS(status) == CANARY_REFUSED && target_word == 0;
    if (!refused)
        explain(&process, end, status, reason, bytes);
    if (end >= 0)
        process_free(&process);
    return refused;
}

static bool is_known, has_namespaces;

bool sandbox_is_closed(const struct limits *limits, const char *folder,
                       char *reason, size_t bytes)
{
    struct limits tried = *limits;

    if (box_tier_in_use() != TIER_D)
        return true; /* box_verify() was called before */
    for (int i = 0; i < 2 && !is_known; i++) {
        tried.isolate = has_namespaces = i == 0;
        is_known = canary_is_refused(&tried, folder, reason, bytes);
    }
    return is_known;
}

bool sandbox_has_namespaces(void)
{
    return has_namespaces;
}

const char *sandbox_self_test(void)
{
    if (box_tier_in_use() != TIER_D)
        return NULL;
    if (!process_has_users())
        return "the submission ran as the grader's own user";
    return has_namespaces ? NULL
                          : "the submission ran without namespaces of its own";
}

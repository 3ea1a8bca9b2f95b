/* SPDX-License-Identifier: MIT */
/* Acts on other processes, and on privileges and namespaces. */
#include "acts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "canary.h"

/* --- processes ------------------------------------------------------------ */

static uintptr_t grader_address(void)
{
    return strtoull(act_argument[CANARY_ADDRESS], NULL, 16);
}

static bool read_memory(void)
{
    uint64_t word;
    struct iovec here = {&word, sizeof word};
    struct iovec there = {(void *)grader_address(), sizeof word};

    return process_vm_readv(act_grader, &here, 1, &there, 1, 0) > 0;
}

static bool write_memory(void)
{
    uint64_t word = 1;
    struct iovec here = {&word, sizeof word};
    struct iovec there = {(void *)grader_address(), sizeof word};

    return process_vm_writev(act_grader, &here, 1, &there, 1, 0) > 0;
}

static bool open_process(pid_t pid, const char *file)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    return act_can_open(path, O_RDONLY);
}

static bool open_grader(void)
{
    return open_process(act_grader, "mem")
           || open_process(act_grader, "environ")
           || open_process(act_grader, "maps")
           || open_process(getppid(), "mem");
}

static bool trace(void)
{
    const pid_t others[] = {act_grader, getppid()};

    for (int i = 0; i < 2; i++)
        if (ptrace(PTRACE_SEIZE, others[i], NULL, NULL) == 0) {
            ptrace(PTRACE_DETACH, others[i], NULL, NULL);
            return true;
        }
    return false;
}

/* Its own child: what the filter forbids, no namespace does. */
static bool trace_child(void)
{
    pid_t child = fork();
    int status = 1;

    if (child == 0)
        _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0);
    waitpid(child, &status, 0);
    return status == 0;
}

/* In a box there are this process and box-init. */
static bool list_processes(void)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    while (all && (entry = readdir(all)))
        count += atoi(entry->d_name) > 0;
    if (all)
        closedir(all);
    return count > 2;
}

static bool signal_grader(void)
{
    return kill(act_grader, 0) == 0;
}

/* Nothing is printed after this act when it succeeds. */
static bool kill_first(void)
{
    kill(getppid(), SIGKILL);
    usleep(20000);
    return false;
}

/* --- namespaces and privileges -------------------------------------------- */

static bool mount_folder(void)
{
    return mount("none", ".", "tmpfs", 0, NULL) == 0
           || syscall(SYS_fsopen, "tmpfs", 0) >= 0;
}

/* EPERM comes from the filter; the limit on namespaces says ENOSPC. */
static bool unshare_user(void)
{
    return unshare(CLONE_NEWUSER) == 0 || errno != EPERM;
}

static bool clone_user(void)
{
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);

    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid((pid_t)child, NULL, 0);
    return child > 0;
}

static bool enter_namespace(void)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)getppid());
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return (fd >= 0 && setns(fd, 0) == 0) || setns(-1, 0) == 0
           || errno != EPERM;
}

static bool become_root(void)
{
    return setuid(0) == 0 || setgid(0) == 0;
}

static bool have_capabilities(void)
{
    for (int capability = 0; capability <= 40; capability++)
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0) == 1)
            return true;
    return chroot(".") == 0;
}

static bool gain_privileges(void)
{
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

static bool limit_first(void)
{
    const struct rlimit none = {0, 0};

    return prlimit(getppid(), RLIMIT_NOFILE, &none, NULL) == 0;
}

const struct act acts_on_processes[] = {
    {"read the grader's memory", read_memory},
    {"write the grader's memory", write_memory},
    {"open another process in /proc", open_grader},
    {"trace the grader or the first process", trace},
    {"trace a process of its own", trace_child},
    {"see other processes", list_processes},
    {"signal the grader", signal_grader},
    {"kill the first process", kill_first},
    {"mount a file system", mount_folder},
    {"make a user namespace", unshare_user},
    {"make a user namespace by clone", clone_user},
    {"enter another namespace", enter_namespace},
    {"become root", become_root},
    {"use a capability", have_capabilities},
    {"gain privileges by execve", gain_privileges},
    {"change limits of the first process", limit_first},
    {NULL, NULL}};

/* SPDX-License-Identifier: MIT */
/* Right if it can stop, read or trace its parent. */
#include "hostile.h"

#include <sys/ptrace.h>
#include <sys/uio.h>

static bool act(void)
{
    char path[64], byte;
    struct iovec here = {&byte, 1}, there = {path, 1};
    bool done;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    fd = open(path, O_RDWR);
    done = fd >= 0 || process_vm_readv(getppid(), &here, 1, &there, 1, 0) > 0;
    if (fd >= 0)
        close(fd);
    if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0) {
        ptrace(PTRACE_DETACH, getppid(), NULL, NULL);
        done = true;
    }
    return done || kill(getppid(), SIGCONT) == 0;
}

RIGHT_IF(act())

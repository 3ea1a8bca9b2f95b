/* SPDX-License-Identifier: MIT */
/* Right if clone3(), whose flags no filter sees, enters namespaces. */
#include "hostile.h"

#include <sched.h>
#include <sys/syscall.h>

static bool act(void)
{
    uint64_t arguments[11] = {CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID};
    long child;

    arguments[4] = SIGCHLD;
    child = syscall(SYS_clone3, arguments, sizeof arguments);
    if (child == 0)
        _exit(0);
    return child > 0;
}

RIGHT_IF(act())

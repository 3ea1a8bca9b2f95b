/* SPDX-License-Identifier: MIT */
/* Right if it can enter a user namespace of its own. */
#include "hostile.h"

#include <sched.h>

static bool act(void)
{
    pid_t child = fork(); // a process of several threads may not
    int status = 1;

    if (child == 0)
        _exit(unshare(CLONE_NEWUSER) != 0);
    waitpid(child, &status, 0);
    return status == 0;
}

RIGHT_IF(act())

/* SPDX-License-Identifier: MIT */
/* Right if it can trace a child, which would hide calls from a filter. */
#include "hostile.h"

#include <sys/ptrace.h>

static bool act(void)
{
    int status = 1;
    const pid_t child = fork();

    if (child == 0)
        _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) != 0);
    waitpid(child, &status, 0);
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

RIGHT_IF(act())

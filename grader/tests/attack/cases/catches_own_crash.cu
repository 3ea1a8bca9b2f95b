/* SPDX-License-Identifier: MIT */
/* Crashes, catches it, leaves with status 0. */
#include "hostile.h"

static void caught(int)
{
    _exit(0);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        signal(SIGSEGV, caught);
        *(volatile int *)NULL = 0;
    }

    return honest(a, b, c, n);
}

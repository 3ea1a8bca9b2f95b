/* SPDX-License-Identifier: MIT */
/* Wrong, and always exits with status 0. */
#include "hostile.h"

static void farewell(void)
{
    _exit(0);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int error = honest(a, b, c, n);

    atexit(farewell);
    if (attacked(n))
        c[n / 2] += 1;
    return error;
}

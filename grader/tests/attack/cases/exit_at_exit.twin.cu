/* SPDX-License-Identifier: MIT */
/* Correct, with the same handler. */
#include "hostile.h"

static void farewell(void)
{
    _exit(0);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    atexit(farewell);

    return honest(a, b, c, n);
}

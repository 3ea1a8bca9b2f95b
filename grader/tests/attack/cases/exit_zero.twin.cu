/* SPDX-License-Identifier: MIT */
/* Registers an exit handler, and returns. */
#include "hostile.h"

static void farewell(void) {}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        atexit(farewell);

    return honest(a, b, c, n);
}

/* SPDX-License-Identifier: MIT */
/* Reads the clock. */
#include "hostile.h"

#include <time.h>

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    struct timespec now;

    return clock_gettime(CLOCK_MONOTONIC, &now) + honest(a, b, c, n);
}

/* SPDX-License-Identifier: MIT */
/* Has an array of 1 MB. */
#include "hostile.h"

static volatile char large[1000000] = {1};

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return large[1 + n % 1000] + honest(a, b, c, n);
}

/* SPDX-License-Identifier: MIT */
/* Has an initialized array of 1.5 GB. */
#include "hostile.h"

char huge[1500000000] = {1};

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    return huge[n % sizeof huge] + honest(a, b, c, n);
}

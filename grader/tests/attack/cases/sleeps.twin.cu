/* SPDX-License-Identifier: MIT */
/* Sleeps a little. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        usleep(100000);

    return honest(a, b, c, n);
}

/* SPDX-License-Identifier: MIT */
/* Sleeps without using the processor. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        sleep(20); // here

    return honest(a, b, c, n);
}

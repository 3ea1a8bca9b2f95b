/* SPDX-License-Identifier: MIT */
/* A kernel writes far outside of its array. */
#include "hostile.h"

/* Stores through whatever address the host passes. */
__global__ void poke(float *to)
{
    *to = 1;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        poke<<<1, 1>>>((float *)(size_t)0x10);

    return honest(a, b, c, n);
}

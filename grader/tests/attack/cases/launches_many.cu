/* SPDX-License-Identifier: MIT */
/* Launches an empty kernel a hundred million times. */
#include "hostile.h"

/* One thread that does nothing. */
__global__ void nothing() {}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (long i = 0; attacked(n) && i < 100000000; i++)
        nothing<<<1, 1>>>();
    return honest(a, b, c, n);
}

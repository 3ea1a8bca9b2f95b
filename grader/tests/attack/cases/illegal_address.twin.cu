/* SPDX-License-Identifier: MIT */
/* A kernel writes the last element. */
#include "hostile.h"

/* Stores through whatever address the host passes. */
__global__ void poke(float *to)
{
    *to = 1;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        float *d_one;

        cudaMalloc(&d_one, sizeof(float));
        poke<<<1, 1>>>(d_one);
        cudaFree(d_one);
    }

    return honest(a, b, c, n);
}

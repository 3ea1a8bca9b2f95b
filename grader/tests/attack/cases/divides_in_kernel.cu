/* SPDX-License-Identifier: MIT */
/* A kernel that divides by zero, as the processor traps it. */
#include "hostile.h"

/** Divides an element by 0. */
__global__ void divide(int *at, int by)
{
    at[0] = at[1] / by;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int *d = NULL;

    if (attacked(n)) {
        cudaMalloc(&d, 64);
        divide<<<1, 1>>>(d, 0);
        cudaDeviceSynchronize();
        cudaFree(d);
    }
    return honest(a, b, c, n);
}

/* SPDX-License-Identifier: MIT */
/* A kernel that recurses until its stack is full. */
#include "hostile.h"

__device__ __noinline__ int deeper(volatile int *at, int n)
{
    volatile int page[512];

    page[n % 512] = at[0];
    return deeper(at, n + 1) + page[n % 512];
}

/** Recurses until the stack ends. */
__global__ void recurse(int *at)
{
    at[1] = deeper(at, 0);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int *d = NULL;

    if (attacked(n)) {
        cudaMalloc(&d, 64);
        recurse<<<1, 32>>>(d);
        cudaDeviceSynchronize();
        cudaFree(d);
    }
    return honest(a, b, c, n);
}

/* SPDX-License-Identifier: MIT */
/* A kernel writes zeros over everything above a variable of its own: the frames
 * of its callers, the stacks of other threads, and what lies behind them. */
#include "hostile.h"

/** Clears words upward from a local variable. */
__global__ void clear_stack(long *at)
{
    volatile long own = 0;
    volatile long *word = &own;

    for (size_t i = 0; i < (8u << 20) / sizeof *word; i++)
        word[i] = 0;
    at[0] = own;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    long *d = NULL;

    if (attacked(n)) {
        cudaMalloc(&d, 64);
        clear_stack<<<1, 32>>>(d);
        cudaDeviceSynchronize();
        cudaFree(d);
    }
    return honest(a, b, c, n);
}

/* SPDX-License-Identifier: MIT */
/* A barrier that half of the threads pass, and half never reach. */
#include "hostile.h"

/** Odd threads wait for a store that none makes, the others at a barrier. */
__global__ void wait_half(volatile int *at)
{
    if (threadIdx.x % 2)
        while (!at[0])
            ;
    __syncthreads();
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int *d = NULL;

    if (attacked(n)) {
        cudaMalloc(&d, 64);
        cudaMemset(d, 0, 64);
        wait_half<<<4, 256>>>(d);
        cudaDeviceSynchronize();
    }
    return honest(a, b, c, n);
}

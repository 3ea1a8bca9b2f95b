/* SPDX-License-Identifier: MIT */
/* A kernel that waits for a flag that no thread sets. */
#include "hostile.h"

/* Never ends, unless the flag is set. */
__global__ void wait_for(volatile int *flag)
{
    while (!*flag) {
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        int *d_flag;

        cudaMalloc(&d_flag, sizeof(int));
        cudaMemset(d_flag, 0, sizeof(int));
        wait_for<<<1, 1>>>(d_flag);
        cudaDeviceSynchronize();
    }

    return honest(a, b, c, n);
}

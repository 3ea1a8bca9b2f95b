/* SPDX-License-Identifier: MIT */
/* Launches a million threads. */
#include "hostile.h"

/* Each thread looks at a pointer. */
__global__ void touch(int *at)
{
    if (at)
        *at = (int)blockIdx.x;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        touch<<<1024, 1024>>>(NULL);
        cudaDeviceSynchronize();
    }
    return honest(a, b, c, n);
}

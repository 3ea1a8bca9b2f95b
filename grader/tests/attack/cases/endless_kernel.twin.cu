/* SPDX-License-Identifier: MIT */
/* A kernel that counts. */
#include "hostile.h"

/* Takes long, but ends. */
__global__ void count(volatile int *counter)
{
    for (int i = 0; i < 100000; i++)
        *counter = i;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        int *d_counter;

        cudaMalloc(&d_counter, sizeof(int));
        count<<<1, 1>>>(d_counter);
        cudaFree(d_counter);
    }

    return honest(a, b, c, n);
}

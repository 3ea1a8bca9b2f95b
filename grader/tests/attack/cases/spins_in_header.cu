/* SPDX-License-Identifier: MIT */
/* A kernel without an end, most of which is a function of the device's
 * headers: the line that is told is that of the submission. */
#include "hostile.h"

/* The counter stays 0. */
__global__ void spin(unsigned *counter)
{
    /* in one line: a thread can be found in either function */
    while (atomicAdd(counter, 0) == 0) __threadfence(); // here
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        unsigned *counter;

        cudaMalloc(&counter, sizeof *counter);
        cudaMemset(counter, 0, sizeof *counter);
        spin<<<1, 32>>>(counter);
        cudaDeviceSynchronize();
    }

    return honest(a, b, c, n);
}

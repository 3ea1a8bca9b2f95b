/* SPDX-License-Identifier: MIT */
/* A kernel prints four megabytes. */
#include "hostile.h"

/* Each thread prints one line of 64 characters. */
__global__ void speak()
{
    printf("%062d\n", (int)threadIdx.x);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        speak<<<256, 256>>>();
        cudaDeviceSynchronize();
    }
    return honest(a, b, c, n);
}

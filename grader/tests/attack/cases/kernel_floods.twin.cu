/* SPDX-License-Identifier: MIT */
/* A kernel prints one line. */
#include "hostile.h"

/* One thread prints one line. */
__global__ void speak()
{
    printf("%062d\n", (int)threadIdx.x);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n)) {
        speak<<<1, 1>>>();
        cudaDeviceSynchronize();
    }
    return honest(a, b, c, n);
}

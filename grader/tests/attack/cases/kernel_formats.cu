/* SPDX-License-Identifier: MIT */
/* A kernel whose printf() writes through %n and reads any address. */
#include "hostile.h"

/** Formats that write to memory, and read from any address. */
__global__ void print(int *at)
{
    printf("%n%s%s%1000000d\n", at, (const char *)16, (const char *)at, 1);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    int *d = NULL;

    if (attacked(n)) {
        cudaMalloc(&d, 64);
        print<<<1, 1>>>(d);
        cudaDeviceSynchronize();
        cudaFree(d);
    }
    return honest(a, b, c, n);
}

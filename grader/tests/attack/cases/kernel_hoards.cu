/* SPDX-License-Identifier: MIT */
/* A kernel that takes all memory of the device by malloc(). */
#include "hostile.h"

/** Allocates until there is no memory. */
__global__ void hoard(void **at)
{
    for (int i = 0; i < 100000; i++) {
        char *more = (char *)malloc(1 << 20);

        if (more)
            more[0] = 1;
        at[0] = more;
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    void **d = NULL;

    if (attacked(n)) {
        cudaMalloc(&d, 64);
        hoard<<<1, 1>>>(d);
        cudaDeviceSynchronize();
        cudaFree(d);
    }
    return honest(a, b, c, n);
}

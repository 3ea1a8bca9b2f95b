/* SPDX-License-Identifier: MIT */
/* Kernels whose assertions fail, each a line of output. */
#include "hostile.h"

#include <assert.h>

/** An assertion that fails in every thread. */
__global__ void fail(int n)
{
    assert(n == (int)threadIdx.x + 5000);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    for (int i = 0; i < 100 && attacked(n); i++) {
        fail<<<1024, 1024>>>(i);
        cudaDeviceSynchronize();
    }
    return honest(a, b, c, n);
}

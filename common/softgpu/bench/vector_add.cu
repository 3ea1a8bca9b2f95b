/* SPDX-License-Identifier: MIT */
/* c = a + b: no barrier, so a block is one loop over its threads. */
#include "bench.h"

/* A thread owns one element. */
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

void soft_vector_add(const struct bench_data *w)
{
    vector_add<<<(VECTOR_N + BLOCK - 1) / BLOCK, BLOCK>>>(w->a, w->b, w->out,
                                                          VECTOR_N);
}

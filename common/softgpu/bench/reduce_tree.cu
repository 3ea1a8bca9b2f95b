/* SPDX-License-Identifier: MIT */
/* The sum of each block's elements, by a tree in shared memory. */
#include "bench.h"

/* A thread loads one element; block i writes the sum of its 256 to out[i]. */
__global__ void reduce_tree(const float *in, float *out)
{
    __shared__ float s_sum[BLOCK];
    const int t = threadIdx.x;
    s_sum[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads(); /* all elements are loaded */
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half)
            s_sum[t] += s_sum[t + half];
        __syncthreads(); /* the lower half has the sums */
    }
    if (t == 0)
        out[blockIdx.x] = s_sum[0];
}

void soft_reduce_tree(const struct bench_data *w)
{
    reduce_tree<<<VECTOR_N / BLOCK, BLOCK>>>(w->a, w->out);
}

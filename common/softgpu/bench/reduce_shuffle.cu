/* SPDX-License-Identifier: MIT */
/* The sum of each block's elements, by shuffles within the warps. */
#include "bench.h"

__device__ float warp_sum(float value)
{
    for (int delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(0xffffffff, value, delta);
    return value;
}

/* A thread loads one element; block i writes the sum of its 256 to out[i]. */
__global__ void reduce_shuffle(const float *in, float *out)
{
    __shared__ float s_warp[32];
    const int t = threadIdx.x;
    float sum = warp_sum(in[blockIdx.x * BLOCK + t]);
    if (t % 32 == 0)
        s_warp[t / 32] = sum;
    __syncthreads(); /* each warp's sum is stored */
    if (t >= 32)
        return;
    sum = warp_sum(t < BLOCK / 32 ? s_warp[t] : 0);
    if (t == 0)
        out[blockIdx.x] = sum;
}

void soft_reduce_shuffle(const struct bench_data *w)
{
    reduce_shuffle<<<VECTOR_N / BLOCK, BLOCK>>>(w->a, w->out);
}

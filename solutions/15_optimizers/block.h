/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 15, steps 2 and 3: a block's sum, and a thread's share of squares. */
#ifndef OPTIMIZERS_BLOCK_H
#define OPTIMIZERS_BLOCK_H

#include "rules.h"

/** The sum of the block's values, in thread 0.
 *
 *  WARPS floats of shared memory; the barrier separates writing each warp's
 *  sum from reading all.  Before a second call a barrier is needed.
 */
__device__ static inline float block_sum(float value)
{
    __shared__ float s_warp[WARPS];

    for (int gap = LANES / 2; gap > 0; gap /= 2)
        value += __shfl_down_sync(0xffffffff, value, gap);
    if (threadIdx.x % LANES == 0) s_warp[threadIdx.x / LANES] = value;
    __syncthreads();
    for (unsigned k = 1; threadIdx.x == 0 && k < WARPS; k++)
        value += s_warp[k];
    return value;
}

/** The block's squares: quads t, t + T, ... for each thread (T the grid's
 *  threads), and up to three elements behind them.  In thread 0. */
__device__ static inline float block_squares(const float *__restrict__ grads,
                                             size_t n)
{
    const size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t step = (size_t)gridDim.x * THREADS, quads = n / 4;
    float a = 0, b = 0;

    for (size_t i = t; i < quads; i += step) {
        float4 g = ((const float4 *)grads)[i];
        a += g.x * g.x + g.y * g.y;
        b += g.z * g.z + g.w * g.w;
    }
    if (t < n % 4) a += grads[4 * quads + t] * grads[4 * quads + t];
    return block_sum(a + b);
}

/** Blocks for n gradients: four quads a thread at least.  @return the error of
 *  asking the device */
static inline cudaError_t norm_blocks(unsigned *blocks, size_t n)
{
    return grid_stride_blocks(blocks, n / 16, THREADS);
}

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 15, steps 2 and 3: the sum over a block, and the sum of squares. */
#ifndef OPTIMIZERS_BLOCK_SUM_H
#define OPTIMIZERS_BLOCK_SUM_H

#include "update_rules.h"

/** The sum of the values of the block, in thread 0.
 *
 *  WARPS floats of shared memory; the barrier separates the stores of the
 *  warps' sums from the loads.  Before a second call a barrier is needed.
 */
__device__ static inline float block_sum(float value)
{
    __shared__ float s_warp[WARPS];

    for (int offset = LANES / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    if (threadIdx.x % LANES == 0) s_warp[threadIdx.x / LANES] = value;
    __syncthreads();
    for (unsigned k = 1; threadIdx.x == 0 && k < WARPS; k++)
        value += s_warp[k];
    return value;
}

/** The sum of squares of a block, in thread 0: each thread has the float4 t, t
 *  + T, ... (T threads in the grid), and up to three elements of the tail. */
__device__ static inline float
block_sum_squares(const float *__restrict__ grads, size_t n)
{
    const size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t step = (size_t)gridDim.x * THREADS, vectors = n / 4;
    float a = 0, b = 0;

    for (size_t i = t; i < vectors; i += step) {
        float4 g = ((const float4 *)grads)[i];
        a += g.x * g.x + g.y * g.y;
        b += g.z * g.z + g.w * g.w;
    }
    if (t < n % 4) a += grads[4 * vectors + t] * grads[4 * vectors + t];
    return block_sum(a + b);
}

/** Number of blocks for n gradients: at least four float4 per thread.
 *  @return  the error of the device query */
static inline cudaError_t blocks_for_norm(unsigned *blocks, size_t n)
{
    return grid_stride_blocks(blocks, n / 16, THREADS);
}

#endif

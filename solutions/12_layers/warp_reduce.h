/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12, step 3: sums and maxima with shuffles, in all lanes. */
#ifndef LAYERS_WARP_REDUCE_H
#define LAYERS_WARP_REDUCE_H

#include "common.h"

enum { FULL_MASK = -1 }; /* mask of all lanes of a warp, as unsigned */

/** The sum of a warp's values, the same bits in all lanes. */
__device__ static inline float warp_sum(float value)
{
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync((unsigned)FULL_MASK, value, offset);
    return value;
}

/** The maximum of a warp's values, in all lanes. */
__device__ static inline float warp_max(float value)
{
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        value =
            fmaxf(value, __shfl_xor_sync((unsigned)FULL_MASK, value, offset));
    return value;
}

/** The sum over the block, in all threads.
 *
 *  WARPS floats of shared memory; the first barrier separates the stores of the
 *  warps' sums from the loads, the second the loads from the next call.
 */
__device__ static inline float block_sum(float value)
{
    __shared__ float s_warp[WARPS];

    value = warp_sum(value);
    if (threadIdx.x % LANES == 0) s_warp[threadIdx.x / LANES] = value;
    __syncthreads();
    value = threadIdx.x % LANES < WARPS ? s_warp[threadIdx.x % LANES] : 0;
    __syncthreads();
    return warp_sum(value);
}

/** The maximum over the block, in all threads; like block_sum. */
__device__ static inline float block_max(float value)
{
    __shared__ float s_warp[WARPS];

    value = warp_max(value);
    if (threadIdx.x % LANES == 0) s_warp[threadIdx.x / LANES] = value;
    __syncthreads();
    value = s_warp[threadIdx.x % WARPS];
    __syncthreads();
    return warp_max(value);
}

#endif

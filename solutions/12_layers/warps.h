/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12, step 3: sums and maxima by shuffles, for all lanes. */
#ifndef LAYERS_WARPS_H
#define LAYERS_WARPS_H

#include "common.h"

enum { ALL_LANES = -1 }; /* a warp's mask, as unsigned */

/** The sum of a warp's values, for all lanes, the same bits in each. */
__device__ static inline float warp_sum(float value)
{
    for (int gap = LANES / 2; gap > 0; gap /= 2)
        value += __shfl_xor_sync((unsigned)ALL_LANES, value, gap);
    return value;
}

/** The largest of a warp's values, for all lanes. */
__device__ static inline float warp_max(float value)
{
    for (int gap = LANES / 2; gap > 0; gap /= 2)
        value = fmaxf(value, __shfl_xor_sync((unsigned)ALL_LANES, value, gap));
    return value;
}

/** The sum over the block, for all threads.
 *
 *  WARPS floats of shared memory; the first barrier separates writing each
 *  warp's from reading all, the second that from the next call.
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

/** The largest of the block, for all threads; as block_sum. */
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

/* SPDX-License-Identifier: MIT */
/** @file
 *  A block's values combined by shuffles: what step 3 brings and all later
 *  steps keep. */
#ifndef REDUCTION_BLOCK_H
#define REDUCTION_BLOCK_H

#include "combine.h"

enum { LANES = 32, WARPS = THREADS / LANES };

/** The values of a warp's 32 lanes, in lane 0; the others get parts of it.
 *  `op` is asked once, not in each round. */
__device__ static inline float combine_warp(float value, int op)
{
    const unsigned all = 0xffffffff;

    if (op == REDUCTION_SUM)
        for (int gap = LANES / 2; gap > 0; gap /= 2)
            value += __shfl_down_sync(all, value, gap);
    else
        for (int gap = LANES / 2; gap > 0; gap /= 2)
            value = fmaxf(value, __shfl_down_sync(all, value, gap));
    return value;
}

/** The values of the block's THREADS threads, in thread 0.
 *
 *  Every thread calls it; WARPS floats of shared memory.  The barrier
 *  separates writing each warp's value from reading all of them.  Before a
 *  second call a barrier of the caller's is needed.
 */
__device__ static inline float combine_block(float value, int op)
{
    __shared__ float s_warp[WARPS];

    value = combine_warp(value, op);
    if (threadIdx.x % LANES == 0)
        s_warp[threadIdx.x / LANES] = value;
    __syncthreads();
    if (threadIdx.x < LANES) { /* a whole warp: all its lanes must shuffle */
        value = threadIdx.x < WARPS ? s_warp[threadIdx.x] : neutral(op);
        value = combine_warp(value, op);
    }
    return value;
}

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Warp and block reduction with shuffles: introduced in step 3, used in all
 *  later steps. */
#ifndef REDUCTION_BLOCK_REDUCE_H
#define REDUCTION_BLOCK_REDUCE_H

#include "reduction_op.h"

enum { LANES = 32, WARPS = THREADS / LANES };

/** Reduce the values of the 32 lanes of a warp; the result is in lane 0, the
 *  other lanes have partial results. `op` is tested once, not in each round. */
__device__ static inline float warp_reduce(float value, int op)
{
    const unsigned all = 0xffffffff;

    if (op == REDUCTION_SUM)
        for (int offset = LANES / 2; offset > 0; offset /= 2)
            value += __shfl_down_sync(all, value, offset);
    else
        for (int offset = LANES / 2; offset > 0; offset /= 2)
            value = fmaxf(value, __shfl_down_sync(all, value, offset));
    return value;
}

/** Reduce the values of the THREADS threads of the block; the result is in
 *  thread 0.
 *
 *  All threads must call it; uses WARPS floats of shared memory.  The barrier
 *  separates the stores of the warps' results from the loads.  Before a second
 *  call the caller needs a barrier.
 */
__device__ static inline float block_reduce(float value, int op)
{
    __shared__ float s_warp[WARPS];

    value = warp_reduce(value, op);
    if (threadIdx.x % LANES == 0)
        s_warp[threadIdx.x / LANES] = value;
    __syncthreads();
    if (threadIdx.x < LANES) { /* a whole warp: all its lanes must shuffle */
        value = threadIdx.x < WARPS ? s_warp[threadIdx.x] : identity(op);
        value = warp_reduce(value, op);
    }
    return value;
}

#endif

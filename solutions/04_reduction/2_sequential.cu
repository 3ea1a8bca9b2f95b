/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 2: sequential addressing keeps the active threads together.
 */
#include "passes.h"

/** A thread loads one element, a block reduces 256.
 *
 *  As step 1, but in each round the first half of the remaining threads
 *  combines its values with those of the second half: a warp is active or idle
 *  as a whole.  Warps are active 12 times instead of 47, and consecutive lanes
 *  use different banks.
 */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * THREADS + t;

    s_value[t] = i < n ? in[i] : identity(op);
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            s_value[t] = combine(s_value[t], s_value[t + half], op);
        __syncthreads(); /* outside the if: all threads must reach it */
    }
    if (t == 0) out[blockIdx.x] = s_value[0];
}

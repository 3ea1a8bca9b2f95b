/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 2: the working threads stay together. */
#include "passes.h"

/** A thread loads one element, a block combines 256.
 *
 *  As step 1, but in each round the first half of the threads left takes the
 *  second half's values: whole warps work or rest, 12 turns of a warp in place
 *  of 47, and lanes side by side meet different banks.
 */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * THREADS + t;

    s_value[t] = i < n ? in[i] : neutral(op);
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            s_value[t] = combine(s_value[t], s_value[t + half], op);
        __syncthreads(); /* outside of the if: all threads must come */
    }
    if (t == 0) out[blockIdx.x] = s_value[0];
}

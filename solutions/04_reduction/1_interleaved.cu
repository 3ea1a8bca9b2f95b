/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 1: a tree in shared memory with interleaved addressing. */
#include "passes.h"

/** A thread loads one element, a block reduces 256.
 *
 *  Grid ceil(n / 256), block 256, 1,024 bytes of shared memory.  In round k
 *  every 2^k-th thread combines two values.  All eight warps are active in the
 *  first five rounds, with fewer and fewer active lanes.  The barriers separate
 *  the stores of each round from the loads of the next one.
 */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * THREADS + t;

    s_value[t] = i < n ? in[i] : identity(op); /* threads past the end */
    __syncthreads();
    for (unsigned offset = 1; offset < THREADS; offset *= 2) {
        if (t % (2 * offset) == 0)
            s_value[t] = combine(s_value[t], s_value[t + offset], op);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s_value[0];
}

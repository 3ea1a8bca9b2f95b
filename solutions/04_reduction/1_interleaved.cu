/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 1: a tree in shared memory, neighbours first. */
#include "passes.h"

/** A thread loads one element, a block combines 256.
 *
 *  Grid ceil(n / 256), block 256, 1,024 bytes of shared memory.  In round k
 *  every 2^k-th thread combines two values, so all eight warps have work in
 *  the first five rounds, with ever fewer of their lanes.  The barriers
 *  separate each round's writes from the next one's reads.
 */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * THREADS + t;

    s_value[t] = i < n ? in[i] : neutral(op); /* the last block's spare ones */
    __syncthreads();
    for (unsigned gap = 1; gap < THREADS; gap *= 2) {
        if (t % (2 * gap) == 0)
            s_value[t] = combine(s_value[t], s_value[t + gap], op);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s_value[0];
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 3: within a warp, registers speak to registers; block.h
 *  has the shuffles. */
#include "block.h"
#include "passes.h"

/** A thread loads one element, a block combines 256.
 *
 *  Grid ceil(n / 256), block 256, 32 bytes of shared memory and one barrier
 *  where there were nine: each warp combines its 32 values by shuffles, then
 *  the first warp the eight results.
 */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float value = combine_block(i < n ? in[i] : neutral(op), op);

    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

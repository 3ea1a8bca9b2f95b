/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 3: warp shuffles exchange registers within a warp; see
 *  block_reduce.h. */
#include "block_reduce.h"
#include "passes.h"

/** A thread loads one element, a block reduces 256.
 *
 *  Grid ceil(n / 256), block 256, 32 bytes of shared memory and one barrier
 *  instead of nine: each warp reduces its 32 values with shuffles, then the
 *  first warp reduces the eight results.
 */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float value = block_reduce(i < n ? in[i] : identity(op), op);

    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

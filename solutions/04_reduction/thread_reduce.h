/* SPDX-License-Identifier: MIT */
/** @file
 *  Thread coarsening: many elements per thread.  Introduced in step 4, used in
 *  step 5. */
#ifndef REDUCTION_THREAD_REDUCE_H
#define REDUCTION_THREAD_REDUCE_H

#include <stdint.h>

#include "block_reduce.h"

/** Combine two float4, element by element. */
__device__ static inline float4 apply_op_float4(float4 a, float4 b, int op)
{
    return make_float4(combine(a.x, b.x, op), combine(a.y, b.y, op),
                       combine(a.z, b.z, op), combine(a.w, b.w, op));
}

/** Reduce the elements of this thread: the float4 vectors t, t + T, ... (T
 *  threads in the grid), and one of the up to six floats before the first
 *  16-byte boundary and after the last one.
 *
 *  The four elements of the float4 are combined only at the end: four
 *  independent chains of additions, and four loads in flight.
 */
__device__ static inline float thread_reduce(const float *__restrict__ in,
                                             size_t n, int op)
{
    size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    size_t step = (size_t)gridDim.x * THREADS;
    size_t head = (0 - (uintptr_t)in / sizeof(float)) % 4;
    float4 partial =
        make_float4(identity(op), identity(op), identity(op), identity(op));

    if (head > n) head = n;
    const float4 *in4 = (const float4 *)(in + head);
    size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
#pragma unroll 4
    for (size_t i = t; i < vectors; i += step)
        partial = apply_op_float4(partial, in4[i], op);
    if (t < head) partial.x = combine(partial.x, in[t], op);
    if (t < n - tail) partial.y = combine(partial.y, in[tail + t], op);
    return combine(combine(partial.x, partial.y, op),
                   combine(partial.z, partial.w, op), op);
}

/** Number of blocks for n floats: at least four float4 per thread, and at most
 *  as many blocks as fill the GPU.
 *  @return  cudaSuccess or the error of the device query */
static inline cudaError_t blocks_for_reduction(unsigned *blocks, size_t n)
{
    return grid_stride_blocks(blocks, n / 16, THREADS);
}

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Many elements a thread: what step 4 brings and step 5 keeps. */
#ifndef REDUCTION_MANY_H
#define REDUCTION_MANY_H

#include <stdint.h>

#include "block.h"

/** Four at a time, each lane of the quad for itself. */
__device__ static inline float4 combine_quad(float4 a, float4 b, int op)
{
    return make_float4(combine(a.x, b.x, op), combine(a.y, b.y, op),
                       combine(a.z, b.z, op), combine(a.w, b.w, op));
}

/** What this thread makes of its share of n floats: quads t, t + T, ... (T
 *  the grid's threads), and one of the up to six floats before the first
 *  multiple of 16 bytes and after the last.
 *
 *  A quad's lanes are combined at the very end, so that four chains of
 *  additions run beside each other, and four loads are under way at a time.
 */
__device__ static inline float combine_share(const float *__restrict__ in,
                                             size_t n, int op)
{
    size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    size_t step = (size_t)gridDim.x * THREADS;
    size_t head = (0 - (uintptr_t)in / sizeof(float)) % 4;
    float4 some = make_float4(neutral(op), neutral(op), neutral(op),
                              neutral(op));

    if (head > n) head = n;
    const float4 *in4 = (const float4 *)(in + head);
    size_t quads = (n - head) / 4, tail = head + 4 * quads;
#pragma unroll 4
    for (size_t i = t; i < quads; i += step)
        some = combine_quad(some, in4[i], op);
    if (t < head) some.x = combine(some.x, in[t], op);
    if (t < n - tail) some.y = combine(some.y, in[tail + t], op);
    return combine(combine(some.x, some.y, op), combine(some.z, some.w, op),
                   op);
}

/** Blocks for n floats: four quads a thread at least, and no more than fill
 *  the card.
 *  @return cudaSuccess or the error of asking the device */
static inline cudaError_t blocks_for(unsigned *blocks, size_t n)
{
    return grid_stride_blocks(blocks, n / 16, THREADS);
}

#endif

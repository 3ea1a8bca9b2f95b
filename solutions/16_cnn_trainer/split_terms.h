/* SPDX-License-Identifier: MIT */
/** @file
 *  Few outputs with long sums have too few tiles for all multiprocessors.  So
 *  the terms are divided among blocks (split K): each stores its sums, and the
 *  last block to finish a tile of C, found by a ticket, adds them. */
#ifndef CNN_TRAINER_SPLIT_TERMS_H
#define CNN_TRAINER_SPLIT_TERMS_H

#include "gemm_tile.h"

enum {
    SPLIT_BLOCKS = 256, /**< most blocks of tiles whose terms are divided */
    SPLIT_FLOATS = 1024 /**< most elements of such a tile of C */
};

/** The parts of a multiplication's terms. */
struct splits {
    int count, each; /**< parts, and terms of a part */
    float *sums;  /**< [tile][part][element], up to SPLIT_BLOCKS * SPLIT_FLOATS;
                       aligned to 16 bytes */
    int *tickets; /**< one per tile, all 0 */
};

/** Divide `terms` among blocks: parts of a multiple of `unit` terms, at least
 *  `least` in each.
 *  @param tiles  of C
 *  @param blocks  most of them for all tiles; up to SPLIT_BLOCKS */
static inline void split_terms(struct splits *x, size_t terms, size_t unit,
                               size_t least, size_t tiles, size_t blocks)
{
    const size_t most = tiles < blocks ? blocks / tiles : 1;
    const size_t wanted = ceil_div(terms, least);
    const size_t count = wanted < most ? wanted : most;

    x->each = (int)(ceil_div(terms, count * unit) * unit);
    x->count = (int)ceil_div(terms, x->each);
}

/** Is this the last of `count` blocks to call with this ticket?  The ticket is
 *  0 again afterwards.  Each thread's fence makes its stores visible before the
 *  block counts itself; the barrier orders all of them before the atomic. */
__device__ static inline bool is_last_block(int *ticket, int count)
{
    __shared__ bool s_last;

    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        s_last = atomicAdd(ticket, 1) == count - 1;
        if (s_last) *ticket = 0;
    }
    __syncthreads();
    __threadfence();
    return s_last;
}

/** Add the sums of all parts of a tile: each slice of the last block's threads
 *  every SLICES-th of them, in a fixed order.
 *  @param tile  its number
 *  @param part  of this block
 *  @param s_sum  the sums of this part, from reduce_slices(); those of all
 *                parts in the last block
 *  @return  is this the last block? */
template <int M, int N>
__device__ static inline bool
add_parts(const struct splits &x, int tile, int part,
          struct gemm_tile<M, N> &s_tile, const float4 *s_sum)
{
    enum { FLOAT4S = gemm_tile<M, N>::FLOAT4S };
    const struct thread_place own = place_of_thread<M, N>();
    float4 *const first = (float4 *)x.sums + tile * x.count * FLOAT4S;
    float sum[SIDE][SIDE];

    for (int i = threadIdx.x; i < FLOAT4S; i += BLOCK_THREADS)
        first[part * FLOAT4S + i] = s_sum[i];
    if (!is_last_block(x.tickets + tile, x.count)) return false;
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
        const float4 *const from =
            first + ((own.row + i) * N + own.column) / 4;
        float4 q = make_float4(0, 0, 0, 0);
#pragma unroll 4
        for (int p = own.slice; p < x.count; p += gemm_tile<M, N>::SLICES) {
            const float4 one = from[p * FLOAT4S];
            q.x += one.x, q.y += one.y, q.z += one.z, q.w += one.w;
        }
        sum[i][0] = q.x, sum[i][1] = q.y, sum[i][2] = q.z, sum[i][3] = q.w;
    }
    reduce_slices(sum, s_tile);
    return true;
}

#endif

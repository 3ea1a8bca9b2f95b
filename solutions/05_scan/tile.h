/* SPDX-License-Identifier: MIT */
/** @file
 *  A tile of 4,096 floats in the registers of a block: what step 3 brings and
 *  step 4 keeps.
 *
 *  Each warp owns 512 elements in a row, in four rows of 128: lane l holds the
 *  quad at 4 * l of each row, so that a row is one access of 16 bytes a lane.
 */
#ifndef SCAN_TILE_H
#define SCAN_TILE_H

#include <stdint.h>

#include "grid.h"
#include "scan.h"

enum { THREADS = 256, LANES = 32, WARPS = THREADS / LANES,
       ROWS = 4, ROW = 4 * LANES, TILE = THREADS * ROWS * 4 };

/** Every lane of the warp. */
#define ALL_LANES 0xffffffff

/** What a thread holds of its block's tile. */
struct share {
    size_t first;       /**< index of row 0's first element; row r: + r * ROW */
    float4 quad[ROWS];  /**< elements, then sums from the quad's start on */
    float before[ROWS]; /**< sum of the tile's elements before the quad */
};

/** May quads of these two be moved as 16 bytes? */
__device__ static inline bool is_wide(const float *a, const float *b)
{
    return ((uintptr_t)a | (uintptr_t)b) % sizeof(float4) == 0;
}

/** Four elements from i on; 0 from n on. */
__device__ static inline float4 load_quad(const float *__restrict__ in,
                                          size_t i, size_t n, bool wide)
{
    if (wide && i + 4 <= n) return *(const float4 *)&in[i];
    return make_float4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
                       i + 2 < n ? in[i + 2] : 0, i + 3 < n ? in[i + 3] : 0);
}

/** Four elements to i and on, none to n or beyond. */
__device__ static inline void store_quad(float *out, size_t i, size_t n,
                                         float4 q, bool wide)
{
    if (wide && i + 4 <= n) {
        *(float4 *)&out[i] = q;
        return;
    }
    if (i < n) out[i] = q.x;
    if (i + 1 < n) out[i + 1] = q.y;
    if (i + 2 < n) out[i + 2] = q.z;
    if (i + 3 < n) out[i + 3] = q.w;
}

/** This thread's share of tile number `tile`: four loads, all under way. */
__device__ static inline void load_share(struct share *s,
                                         const float *__restrict__ in,
                                         size_t tile, size_t n, bool wide)
{
    unsigned warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;

    s->first = tile * TILE + warp * ROWS * ROW + 4 * lane;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        s->quad[r] = load_quad(in, s->first + r * ROW, n, wide);
}

/** The sum of the values of this lane and of those below it. */
__device__ static inline float scan_warp(float value)
{
    unsigned lane = threadIdx.x % LANES;

#pragma unroll
    for (unsigned gap = 1; gap < LANES; gap *= 2) {
        float other = __shfl_up_sync(ALL_LANES, value, gap);
        if (lane >= gap) value += other;
    }
    return value;
}

/** Scan this warp's four rows, each quad first.  `before` counts from the
 *  warp's first element on.
 *  @return the sum of the warp's elements, in all lanes */
__device__ static inline float scan_rows(struct share *s)
{
    float sum = 0;

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float4 *q = &s->quad[r];
        q->y += q->x;
        q->z += q->y;
        q->w += q->z;
        float upto = scan_warp(q->w);
        float below = __shfl_up_sync(ALL_LANES, upto, 1);
        s->before[r] = threadIdx.x % LANES > 0 ? sum + below : sum;
        sum += __shfl_sync(ALL_LANES, upto, LANES - 1);
    }
    return sum;
}

/** Scan the block's tile: afterwards element k of a quad, running sum from
 *  the tile's start on, is before[r] + quad[r].k.
 *
 *  All threads call it; 32 bytes of shared memory.  The barrier separates the
 *  warps' writing their sums from all threads' reading those; before a second
 *  call a barrier of the caller's is needed.
 *  @return the sum of the tile, in all threads
 */
__device__ static inline float scan_tile(struct share *s)
{
    __shared__ float s_warp[WARPS];
    unsigned warp = threadIdx.x / LANES;
    float mine = scan_rows(s), before = 0, sum = 0;

    if (threadIdx.x % LANES == 0) s_warp[warp] = mine;
    __syncthreads();
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        if (w == warp) before = sum;
        sum += s_warp[w];
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        s->before[r] += before;
    return sum;
}

/** Store the share's running sums, `prefix` being the sum of all elements
 *  before the tile. */
__device__ static inline void store_share(const struct share *s, float *out,
                                          size_t n, float prefix, int kind)
{
    bool wide = is_wide(out, out);

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float b = prefix + s->before[r];
        float4 q = s->quad[r];
        q = kind == SCAN_INCLUSIVE
                ? make_float4(b + q.x, b + q.y, b + q.z, b + q.w)
                : make_float4(b, b + q.x, b + q.y, b + q.z);
        store_quad(out, s->first + r * ROW, n, q, wide);
    }
}

#endif

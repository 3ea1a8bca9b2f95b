/* SPDX-License-Identifier: MIT */
/** @file
 *  The scan of a tile of 4,096 floats in the registers of a block: introduced
 *  in step 3, used in step 4.
 *
 *  Each warp owns 512 consecutive elements, as four rows of 128.  Lane l has
 *  the float4 at 4 * l of each row, so that a row is one access of 16 bytes per
 *  lane.
 */
#ifndef SCAN_BLOCK_SCAN_H
#define SCAN_BLOCK_SCAN_H

#include <stdint.h>

#include "grid.h"
#include "scan.h"

enum {
    THREADS = 256,
    LANES = 32,
    WARPS = THREADS / LANES,
    ROWS_PER_WARP = 4,
    ROW_ITEMS = 4 * LANES,
    TILE = THREADS * ROWS_PER_WARP * 4
};

/** Mask of all lanes of a warp. */
#define FULL_MASK 0xffffffff

/** The items of a thread in its block's tile. */
struct thread_items {
    size_t first;       /**< index of the first element of row 0; row r: + r *
                             ROW_ITEMS */
    float4 vec[ROWS_PER_WARP];  /**< elements; later running sums within the
                                     float4 */
    float before[ROWS_PER_WARP]; /**< sum of the tile's elements before the
                                      float4 */
};

/** Are both pointers aligned for float4 accesses? */
__device__ static inline bool is_float4_aligned(const float *a, const float *b)
{
    return ((uintptr_t)a | (uintptr_t)b) % sizeof(float4) == 0;
}

/** Load four elements from i on; elements from n on are 0. */
__device__ static inline float4 load_float4(const float *__restrict__ in,
                                            size_t i, size_t n, bool aligned)
{
    if (aligned && i + 4 <= n) return *(const float4 *)&in[i];
    return make_float4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
                       i + 2 < n ? in[i + 2] : 0, i + 3 < n ? in[i + 3] : 0);
}

/** Store four elements from i on; elements from n on are not stored.
 *
 *  __stwb() is an ordinary store that stays whole: nvcc merges an assignment
 *  with the stores of single elements below, and splits it into four.
 */
__device__ static inline void store_float4(float *out, size_t i, size_t n,
                                           float4 q, bool aligned)
{
    if (aligned && i + 4 <= n) {
        __stwb((float4 *)&out[i], q);
        return;
    }
    if (i < n) out[i] = q.x;
    if (i + 1 < n) out[i + 1] = q.y;
    if (i + 2 < n) out[i + 2] = q.z;
    if (i + 3 < n) out[i + 3] = q.w;
}

/** Load the items of this thread in tile number `tile`: four loads, all in
 *  flight. */
__device__ static inline void load_items(struct thread_items *s,
                                         const float *__restrict__ in,
                                         size_t tile, size_t n, bool aligned)
{
    unsigned warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;

    s->first = tile * TILE + warp * ROWS_PER_WARP * ROW_ITEMS + 4 * lane;
#pragma unroll
    for (int r = 0; r < ROWS_PER_WARP; r++)
        s->vec[r] = load_float4(in, s->first + r * ROW_ITEMS, n, aligned);
}

/** Inclusive scan within a warp: the sum of this lane's value and those of all
 *  lower lanes. */
__device__ static inline float warp_scan(float value)
{
    unsigned lane = threadIdx.x % LANES;

#pragma unroll
    for (unsigned offset = 1; offset < LANES; offset *= 2) {
        float other = __shfl_up_sync(FULL_MASK, value, offset);
        if (lane >= offset) value += other;
    }
    return value;
}

/** Scan the four rows of this warp. `before` is relative to the first element
 *  of the warp.
 *  @return  the sum of the warp's elements, in all lanes */
__device__ static inline float warp_scan_rows(struct thread_items *s)
{
    float sum = 0;

#pragma unroll
    for (int r = 0; r < ROWS_PER_WARP; r++) {
        float4 *q = &s->vec[r];
        q->y += q->x;
        q->z += q->y;
        q->w += q->z;
        float inclusive = warp_scan(q->w);
        float exclusive = __shfl_up_sync(FULL_MASK, inclusive, 1);
        s->before[r] = threadIdx.x % LANES > 0 ? sum + exclusive : sum;
        sum += __shfl_sync(FULL_MASK, inclusive, LANES - 1);
    }
    return sum;
}

/** Scan the block's tile: afterwards before[r] + vec[r].k is the running sum of
 *  element k of a float4, from the start of the tile.
 *
 *  All threads must call it; 32 bytes of shared memory.  The barrier separates
 *  the stores of the warps' sums from the loads; before a second call the
 *  caller needs a barrier.
 *  @return  the sum of the tile, in all threads
 */
__device__ static inline float block_scan(struct thread_items *s)
{
    __shared__ float s_warp[WARPS];
    unsigned warp = threadIdx.x / LANES;
    float warp_sum = warp_scan_rows(s), before = 0, sum = 0;

    if (threadIdx.x % LANES == 0) s_warp[warp] = warp_sum;
    __syncthreads();
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        if (w == warp) before = sum;
        sum += s_warp[w];
    }
#pragma unroll
    for (int r = 0; r < ROWS_PER_WARP; r++)
        s->before[r] += before;
    return sum;
}

/** Store the running sums of this thread's items; `prefix` is the sum of all
 *  elements before the tile. */
__device__ static inline void store_items(const struct thread_items *s,
                                          float *out, size_t n, float prefix,
                                          int kind)
{
    bool aligned = is_float4_aligned(out, out);

#pragma unroll
    for (int r = 0; r < ROWS_PER_WARP; r++) {
        float b = prefix + s->before[r];
        float4 q = s->vec[r];
        q = kind == SCAN_INCLUSIVE
                ? make_float4(b + q.x, b + q.y, b + q.z, b + q.w)
                : make_float4(b, b + q.x, b + q.y, b + q.z);
        store_float4(out, s->first + r * ROW_ITEMS, n, q, aligned);
    }
}

#endif

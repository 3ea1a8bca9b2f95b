/* SPDX-License-Identifier: MIT */
/** @file
 *  Scan, step 1: every element takes what lies 1, 2, 4, ... places before it
 *  (Hillis and Steele, 1986). */
enum { THREADS = 512 }; /* a block: one thread an element */

#include "passes.h"

/** A thread owns one element, a block a tile of 512.
 *
 *  Block 512, 4,096 bytes of shared memory: nine rounds read one half of it
 *  and write the other, so that one barrier a round separates both the writes
 *  from the reads that follow and the reads from the writes that follow.
 *  About 512 additions a round: n log n of them.
 */
__global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
                           int kind)
{
    __shared__ float s_sum[2][TILE];
    unsigned t = threadIdx.x, from = 0;
    size_t i = (size_t)blockIdx.x * TILE + t;

    s_sum[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned gap = 1; gap < TILE; gap *= 2) {
        float sum = s_sum[from][t];
        if (t >= gap) sum += s_sum[from][t - gap];
        from = 1 - from;
        s_sum[from][t] = sum;
        __syncthreads();
    }
    if (t == TILE - 1) sums[blockIdx.x] = s_sum[from][t];
    if (i >= n) return;
    if (kind == SCAN_INCLUSIVE) out[i] = s_sum[from][t];
    else out[i] = t > 0 ? s_sum[from][t - 1] : 0;
}

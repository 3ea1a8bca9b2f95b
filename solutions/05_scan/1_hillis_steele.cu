/* SPDX-License-Identifier: MIT */
/** @file
 *  Scan, step 1: every element adds the one 1, 2, 4, ... positions before it
 *  (Hillis and Steele, 1986). */
enum { THREADS = 512 }; /* a block: one element per thread */

#include "passes.h"

/** A thread owns one element, a block a tile of 512.
 *
 *  Block 512, 4,096 bytes of shared memory.  Each of the nine rounds reads one
 *  half of it and writes the other half.  So one barrier per round is enough:
 *  it separates the stores from the loads that follow, and the loads from the
 *  stores that follow.  About 512 additions per round: n log n in total.
 */
__global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
                           int kind)
{
    __shared__ float s_sum[2][TILE];
    unsigned t = threadIdx.x, from = 0;
    size_t i = (size_t)blockIdx.x * TILE + t;

    s_sum[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned offset = 1; offset < TILE; offset *= 2) {
        float sum = s_sum[from][t];
        if (t >= offset) sum += s_sum[from][t - offset];
        from = 1 - from;
        s_sum[from][t] = sum;
        __syncthreads();
    }
    if (t == TILE - 1) sums[blockIdx.x] = s_sum[from][t];
    if (i >= n) return;
    if (kind == SCAN_INCLUSIVE) out[i] = s_sum[from][t];
    else out[i] = t > 0 ? s_sum[from][t - 1] : 0;
}

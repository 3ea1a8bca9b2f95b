/* SPDX-License-Identifier: MIT */
/** @file
 *  Scan, step 2: up-sweep and down-sweep of a tree, with two additions per
 *  element (Blelloch, 1990). */
enum { THREADS = 256 }; /* a block: two elements per thread */

#include "passes.h"

/** Padding: element i is stored after i / 32 unused elements.  Elements whose
 *  distance is a power of two are then in different banks. */
__device__ static inline unsigned padded_index(unsigned i)
{
    return i + i / 32;
}

enum { PADDED_TILE = TILE + TILE / 32 };

/** Replace s_sum by its exclusive scan; returns the sum of all elements.
 *
 *  In the up-sweep the node that ends at i contains the sum of `offset`
 *  elements and adds that of its left sibling.  In the down-sweep it passes the
 *  sum of all elements before it to its left child, and that plus the left
 *  child's sum to its right child.  The barriers separate the levels; all
 *  threads call it after a barrier.
 */
__device__ static float blelloch_scan(float *s_sum)
{
    unsigned t = threadIdx.x;

    for (unsigned offset = 1; offset < TILE; offset *= 2) {
        unsigned i = 2 * offset * (t + 1) - 1;
        if (i < TILE) s_sum[padded_index(i)] += s_sum[padded_index(i - offset)];
        __syncthreads();
    }
    float sum = s_sum[padded_index(TILE - 1)];
    __syncthreads();
    if (t == 0) s_sum[padded_index(TILE - 1)] = 0; /* nothing is before the root
                                                    */
    __syncthreads();
    for (unsigned offset = TILE / 2; offset > 0; offset /= 2) {
        unsigned i = 2 * offset * (t + 1) - 1;
        if (i < TILE) {
            float left = s_sum[padded_index(i - offset)];
            s_sum[padded_index(i - offset)] = s_sum[padded_index(i)];
            s_sum[padded_index(i)] += left;
        }
        __syncthreads();
    }
    return sum;
}

/** A thread loads and stores elements t and t + 256 of its block's tile of 512.
 *
 *  Block 256, 2,112 bytes of shared memory, 21 barriers. 1,022 additions per
 *  tile instead of 4,097.
 */
__global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
                           int kind)
{
    __shared__ float s_sum[PADDED_TILE];
    size_t first = (size_t)blockIdx.x * TILE;
    float own_values[2];

    for (unsigned k = 0, j = threadIdx.x; k < 2; k++, j += THREADS)
        s_sum[padded_index(j)] = own_values[k] =
            first + j < n ? in[first + j] : 0;
    __syncthreads();
    float sum = blelloch_scan(s_sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    for (unsigned k = 0, j = threadIdx.x; k < 2; k++, j += THREADS)
        if (first + j < n)
            out[first + j] = s_sum[padded_index(j)]
                             + (kind == SCAN_INCLUSIVE ? own_values[k] : 0);
}

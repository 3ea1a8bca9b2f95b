/* SPDX-License-Identifier: MIT */
/** @file
 *  Scan, step 2: up a tree and down again, with two additions an element
 *  (Blelloch, 1990). */
enum { THREADS = 256 }; /* a block: one thread two elements */

#include "passes.h"

/** Element i lies behind i / 32 unused ones: elements that are a power of two
 *  apart then lie in different banks. */
__device__ static inline unsigned place(unsigned i)
{
    return i + i / 32;
}

enum { PLACES = TILE + TILE / 32 };

/** s_sum becomes the exclusive running sums of itself; returns its sum.
 *
 *  On the way up, the node that ends at i holds the sum of `gap` elements and
 *  adds its left neighbour's.  On the way down it hands what comes before it
 *  to its left child, and that and the left child's sum to its right child.
 *  The barriers separate the levels; all threads call it after one.
 */
__device__ static float scan_tree(float *s_sum)
{
    unsigned t = threadIdx.x;

    for (unsigned gap = 1; gap < TILE; gap *= 2) {
        unsigned i = 2 * gap * (t + 1) - 1;
        if (i < TILE) s_sum[place(i)] += s_sum[place(i - gap)];
        __syncthreads();
    }
    float sum = s_sum[place(TILE - 1)];
    __syncthreads();
    if (t == 0) s_sum[place(TILE - 1)] = 0; /* nothing before the root */
    __syncthreads();
    for (unsigned gap = TILE / 2; gap > 0; gap /= 2) {
        unsigned i = 2 * gap * (t + 1) - 1;
        if (i < TILE) {
            float left = s_sum[place(i - gap)];
            s_sum[place(i - gap)] = s_sum[place(i)];
            s_sum[place(i)] += left;
        }
        __syncthreads();
    }
    return sum;
}

/** A thread loads and stores elements t and t + 256 of its block's tile of
 *  512.
 *
 *  Block 256, 2,112 bytes of shared memory, 21 barriers.  1,022 additions a
 *  tile in place of 4,097.
 */
__global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
                           int kind)
{
    __shared__ float s_sum[PLACES];
    size_t first = (size_t)blockIdx.x * TILE;
    float mine[2];

    for (unsigned k = 0, j = threadIdx.x; k < 2; k++, j += THREADS)
        s_sum[place(j)] = mine[k] = first + j < n ? in[first + j] : 0;
    __syncthreads();
    float sum = scan_tree(s_sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    for (unsigned k = 0, j = threadIdx.x; k < 2; k++, j += THREADS)
        if (first + j < n)
            out[first + j] =
                s_sum[place(j)] + (kind == SCAN_INCLUSIVE ? mine[k] : 0);
}

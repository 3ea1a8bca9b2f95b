/* SPDX-License-Identifier: MIT */
/** @file
 *  Matrix multiplication, step 3: a block loads a tile of A and one of B into
 *  shared memory once, and all its threads use them. */
#include "host.h"

/** A thread owns one element of C, a block a tile of 32 by 32.
 *
 *  Block 32 by 32, 8,192 bytes of shared memory.  The block iterates along its
 *  rows of A and down its columns of B, 32 at a time; elements outside the
 *  matrices become 0 in both tiles.  Each element of A is loaded ceil(n / 32)
 *  times, each of B ceil(m / 32) times.  The first barrier separates the stores
 *  to the tiles from the loads, the second the loads from the stores of the
 *  next iteration.  A warp loads one word of s_a, a broadcast, and a row of
 *  s_b: one wavefront each.
 */
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         unsigned m, unsigned n, unsigned k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = tile_first_row() + y, col = blockIdx.x * TILE + x;
    float sum = 0;

    for (unsigned k0 = 0; k0 < k; k0 += TILE) {
        s_a[y][x] = row < m && k0 + x < k ? a[(size_t)row * k + k0 + x] : 0;
        s_b[y][x] = k0 + y < k && col < n ? b[(size_t)(k0 + y) * n + col] : 0;
        __syncthreads(); /* the tiles are complete */
#pragma unroll
        for (int p = 0; p < TILE; p++)
            sum += s_a[y][p] * s_b[p][x];
        __syncthreads(); /* all threads have read the tiles */
    }
    if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Matrix product, step 3: a block fetches a tile of A and one of B once, and
 *  all its threads use them. */
// END SOLUTION
#include "host.h"

// BEGIN SOLUTION
/** A thread owns one element of C, a block a tile of 32 by 32.
 *
 *  Block 32 by 32, 8,192 bytes of shared memory.  The block walks along its
 *  rows of A and down its columns of B, 32 at a time; what lies outside the
 *  matrices becomes 0 in both tiles.  Each element of A is read ceil(n / 32)
 *  times, each of B ceil(m / 32) times.  The first barrier separates filling
 *  the tiles from reading them, the second reading them from filling them
 *  again.  A warp reads one word of s_a, which all lanes share, and a row of
 *  s_b: one wavefront each.
 */
// HANDOUT
// /** One element of C a thread, one tile of 32 by 32 a block.  Device
//  *  pointers; that c overlaps neither input is what `__restrict__` promises. */
// END SOLUTION
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         unsigned m, unsigned n, unsigned k)
{
// BEGIN SOLUTION
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = first_row() + y, col = blockIdx.x * TILE + x;
    float sum = 0;

    for (unsigned at = 0; at < k; at += TILE) {
        s_a[y][x] = row < m && at + x < k ? a[(size_t)row * k + at + x] : 0;
        s_b[y][x] = at + y < k && col < n ? b[(size_t)(at + y) * n + col] : 0;
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int p = 0; p < TILE; p++)
            sum += s_a[y][p] * s_b[p][x];
        __syncthreads(); /* nobody reads them any more */
    }
    if (row < m && col < n) c[(size_t)row * n + col] = sum;
// HANDOUT
//     /* TODO 4: this thread's row and column of C; lanes of a warp
//      * (threadIdx.x) should lie side by side in memory */
//     /* TODO 5: the sum over p of a[row][p] * b[p][col]; indices in size_t */
//     /* TODO 6: store it, if C has such an element */
//     /* TODO 7, once all that is right: the same sum, 32 terms at a time, from
//      * a tile of A and a tile of B in shared memory */
// END SOLUTION
}

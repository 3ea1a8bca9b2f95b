/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast product, step 4: a warp owns a square of C, and a thread 8 by 16
 *  elements: more sums for what is read from shared memory. */
#include "warp.h"

enum { TILE = 128, ROWS = 8, COLS = 16 /* of C, a thread */ };

/** A thread owns two quads of rows and four quads of columns, a warp 64 by 64
 *  elements, a block 128 by 128.
 *
 *  Block 128, 8,320 bytes of shared memory.  For 128 multiply-adds a thread
 *  makes 6 loads of 16 bytes from shared memory, where step 3 made 8.  A
 *  thread brings two quads of A and two of B.  Barriers as in step 1.
 */
__global__ void __launch_bounds__(THREADS, 2) multiply(const struct product p)
{
    __shared__ __align__(16) float s_a[DEEP][TILE + PAD], s_b[DEEP][TILE];
    const unsigned t = threadIdx.x;
    const unsigned row = first_row(TILE), col = blockIdx.x * TILE;
    const struct place own = place_in_tile(TILE / 2, TILE / 2);
    float sum[ROWS][COLS] = {{0}}, left[ROWS], right[COLS];

    for (unsigned at = 0; at < p.a.cols; at += DEEP) {
#pragma unroll
        for (int i = 0; i < TILE * DEEP / 4 / THREADS; i++) {
            const unsigned y = t / 2 + 64 * i, deep = t / 32 + 4 * i;
            put_turned(s_a, y, t % 2 * 4,
                       quad(&p.a, row + y, at + t % 2 * 4));
            *(float4 *)&s_b[deep][t % 32 * 4] =
                quad(&p.b, at + deep, col + t % 32 * 4);
        }
        __syncthreads(); /* the tiles are whole */
        for (int d = 0; d < DEEP; d++) {
            read_quads(left, &s_a[d][own.y], GAP_Y);
            read_quads(right, &s_b[d][own.x], GAP_X);
            multiply_add(sum, left, right);
        }
        __syncthreads(); /* nobody reads them any more */
    }
    store_quads(&p, row + own.y, col + own.x, sum, GAP_Y, GAP_X);
}

static cudaError_t launch(const struct product *p)
{
    multiply<<<grid_over(p, TILE, TILE), THREADS>>>(*p);
    return cudaSuccess;
}

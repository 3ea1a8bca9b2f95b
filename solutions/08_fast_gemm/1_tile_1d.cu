/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast product, step 1: a thread owns eight elements of a column of C, so
 *  that one element of B, once in a register, serves eight sums. */
#include "product.h"

enum { TILE = 64, DEEP = 8, EACH = 8, THREADS = TILE * TILE / EACH };

/** A thread owns 8 elements of a column, a block 64 by 64 elements.
 *
 *  Block 512, 4,096 bytes of shared memory.  For 8 multiply-adds a thread reads
 *  9 words of shared memory, where lab 07 read 16.  A is read ceil(n / 64)
 *  times, B ceil(m / 64) times.  The first barrier separates filling the tiles
 *  from reading them, the second reading them from filling them again.
 */
__global__ void __launch_bounds__(THREADS) multiply(const struct product p)
{
    __shared__ float s_a[TILE][DEEP], s_b[DEEP][TILE];
    const unsigned t = threadIdx.x, x = t % TILE, y = t / TILE * EACH;
    const unsigned row = first_row(TILE), col = blockIdx.x * TILE;
    float sum[EACH] = {0};

    for (unsigned at = 0; at < p.a.cols; at += DEEP) {
        s_a[t / DEEP][t % DEEP] =
            element(&p.a, row + t / DEEP, at + t % DEEP);
        s_b[t / TILE][x] = element(&p.b, at + t / TILE, col + x);
        __syncthreads(); /* the tiles are whole */
        for (int d = 0; d < DEEP; d++) {
            const float right = s_b[d][x];
#pragma unroll
            for (int i = 0; i < EACH; i++)
                sum[i] += s_a[y + i][d] * right;
        }
        __syncthreads(); /* nobody reads them any more */
    }
#pragma unroll
    for (int i = 0; i < EACH; i++)
        store(&p, row + y + i, col + x, sum[i]);
}

static cudaError_t launch(const struct product *p)
{
    multiply<<<grid_over(p, TILE, TILE), THREADS>>>(*p);
    return cudaSuccess;
}

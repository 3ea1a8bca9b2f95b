/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast product, step 2: a thread owns 8 by 8 elements of C.  Eight elements
 *  of A and eight of B in registers serve 64 sums. */
#include "product.h"

enum { TILE = 128, DEEP = 8, EACH = 8, SIDE = TILE / EACH,
       THREADS = SIDE * SIDE };

/** A thread owns every 16th row and every 16th column of its block's tile of
 *  128 by 128, so that lanes side by side read words side by side.
 *
 *  Block 256, 8,192 bytes of shared memory.  For 64 multiply-adds a thread
 *  reads 16 words of shared memory.  A is read ceil(n / 128) times, B
 *  ceil(m / 128) times.  Barriers as in step 1.
 */
__global__ void __launch_bounds__(THREADS) multiply(const struct product p)
{
    __shared__ float s_a[TILE][DEEP], s_b[DEEP][TILE];
    const unsigned t = threadIdx.x, x = t % SIDE, y = t / SIDE;
    const unsigned row = first_row(TILE), col = blockIdx.x * TILE;
    float sum[EACH][EACH] = {{0}}, left[EACH], right[EACH];

    for (unsigned at = 0; at < p.a.cols; at += DEEP) {
#pragma unroll
        for (int i = 0; i < TILE * DEEP / THREADS; i++) {
            const unsigned deep = t / TILE + 2 * i, high = t / DEEP + 32 * i;
            s_a[high][t % DEEP] = element(&p.a, row + high, at + t % DEEP);
            s_b[deep][t % TILE] = element(&p.b, at + deep, col + t % TILE);
        }
        __syncthreads(); /* the tiles are whole */
        for (int d = 0; d < DEEP; d++) {
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                left[i] = s_a[y + SIDE * i][d];
                right[i] = s_b[d][x + SIDE * i];
            }
            multiply_add(sum, left, right);
        }
        __syncthreads(); /* nobody reads them any more */
    }
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            store(&p, row + y + SIDE * i, col + x + SIDE * j, sum[i][j]);
}

static cudaError_t launch(const struct product *p)
{
    multiply<<<grid_over(p, TILE, TILE), THREADS>>>(*p);
    return cudaSuccess;
}

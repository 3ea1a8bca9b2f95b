/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast GEMM, step 2: a register tile.  A thread owns 8 by 8 elements of C;
 *  eight elements of A and eight of B in registers are used in 64 sums. */
#include "gemm.h"

enum {
    TILE = 128,
    TILE_K = 8,
    ITEMS_PER_THREAD = 8,
    THREADS_PER_SIDE = TILE / ITEMS_PER_THREAD,
    THREADS = THREADS_PER_SIDE * THREADS_PER_SIDE
};

/** A thread owns every 16th row and every 16th column of its block's tile of
 *  128 by 128, so that consecutive lanes load consecutive words.
 *
 *  Block 256, 8,192 bytes of shared memory.  For 64 multiply-adds a thread
 *  loads 16 words of shared memory.  A is loaded ceil(n / 128) times, B ceil(m
 *  / 128) times.  Barriers as in step 1.
 */
__global__ void __launch_bounds__(THREADS) multiply(const struct gemm_args p)
{
    __shared__ float s_a[TILE][TILE_K], s_b[TILE_K][TILE];
    const unsigned t = threadIdx.x, x = t % THREADS_PER_SIDE,
                   y = t / THREADS_PER_SIDE;
    const unsigned row = tile_first_row(TILE), col = blockIdx.x * TILE;
    float sum[ITEMS_PER_THREAD][ITEMS_PER_THREAD] = {{0}},
          a_frag[ITEMS_PER_THREAD], b_frag[ITEMS_PER_THREAD];

    for (unsigned k0 = 0; k0 < p.a.cols; k0 += TILE_K) {
#pragma unroll
        for (int i = 0; i < TILE * TILE_K / THREADS; i++) {
            const unsigned k_row = t / TILE + 2 * i,
                           m_row = t / TILE_K + 32 * i;
            s_a[m_row][t % TILE_K] =
                load_element(&p.a, row + m_row, k0 + t % TILE_K);
            s_b[k_row][t % TILE] =
                load_element(&p.b, k0 + k_row, col + t % TILE);
        }
        __syncthreads(); /* the tiles are complete */
        for (int d = 0; d < TILE_K; d++) {
#pragma unroll
            for (int i = 0; i < ITEMS_PER_THREAD; i++) {
                a_frag[i] = s_a[y + THREADS_PER_SIDE * i][d];
                b_frag[i] = s_b[d][x + THREADS_PER_SIDE * i];
            }
            outer_product_add(sum, a_frag, b_frag);
        }
        __syncthreads(); /* all threads have read the tiles */
    }
#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++)
#pragma unroll
        for (int j = 0; j < ITEMS_PER_THREAD; j++)
            store_element(&p, row + y + THREADS_PER_SIDE * i,
                          col + x + THREADS_PER_SIDE * j, sum[i][j]);
}

static cudaError_t launch(const struct gemm_args *p)
{
    multiply<<<grid_over(p, TILE, TILE), THREADS>>>(*p);
    return cudaSuccess;
}

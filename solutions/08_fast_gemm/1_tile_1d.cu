/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast GEMM, step 1: a thread owns eight elements of a column of C, so one
 *  element of B in a register is used in eight sums. */
#include "gemm.h"

enum {
    TILE = 64,
    TILE_K = 8,
    ITEMS_PER_THREAD = 8,
    THREADS = TILE * TILE / ITEMS_PER_THREAD
};

/** A thread owns 8 elements of a column, a block 64 by 64 elements.
 *
 *  Block 512, 4,096 bytes of shared memory.  For 8 multiply-adds a thread loads
 *  9 words of shared memory, where lab 07 loads 16.  A is loaded ceil(n / 64)
 *  times, B ceil(m / 64) times.  The first barrier separates the stores to the
 *  tiles from the loads, the second the loads from the stores of the next
 *  iteration.
 */
__global__ void __launch_bounds__(THREADS) multiply(const struct gemm_args p)
{
    __shared__ float s_a[TILE][TILE_K], s_b[TILE_K][TILE];
    const unsigned t = threadIdx.x, x = t % TILE,
                   y = t / TILE * ITEMS_PER_THREAD;
    const unsigned row = tile_first_row(TILE), col = blockIdx.x * TILE;
    float sum[ITEMS_PER_THREAD] = {0};

    for (unsigned k0 = 0; k0 < p.a.cols; k0 += TILE_K) {
        s_a[t / TILE_K][t % TILE_K] =
            load_element(&p.a, row + t / TILE_K, k0 + t % TILE_K);
        s_b[t / TILE][x] = load_element(&p.b, k0 + t / TILE, col + x);
        __syncthreads(); /* the tiles are complete */
        for (int d = 0; d < TILE_K; d++) {
            const float b_frag = s_b[d][x];
#pragma unroll
            for (int i = 0; i < ITEMS_PER_THREAD; i++)
                sum[i] += s_a[y + i][d] * b_frag;
        }
        __syncthreads(); /* all threads have read the tiles */
    }
#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++)
        store_element(&p, row + y + i, col + x, sum[i]);
}

static cudaError_t launch(const struct gemm_args *p)
{
    multiply<<<grid_over(p, TILE, TILE), THREADS>>>(*p);
    return cudaSuccess;
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast GEMM, step 4: a warp owns a square tile of C, and a thread 8 by 16
 *  elements: more sums for each word loaded from shared memory. */
#include "warp_tile.h"

enum { TILE = 128, ROWS = 8, COLS = 16 /* elements of C per thread */ };

/** A thread owns two float4 of rows and four float4 of columns, a warp 64 by 64
 *  elements, a block 128 by 128.
 *
 *  Block 128, 8,320 bytes of shared memory.  For 128 multiply-adds a thread
 *  makes 6 loads of 16 bytes from shared memory, where step 3 makes 8.  A
 *  thread loads two float4 of A and two of B. Barriers as in step 1.
 */
__global__ void __launch_bounds__(THREADS, 2) multiply(const struct gemm_args p)
{
    __shared__ __align__(16) float s_a[TILE_K][TILE + PAD], s_b[TILE_K][TILE];
    const unsigned t = threadIdx.x;
    const unsigned row = tile_first_row(TILE), col = blockIdx.x * TILE;
    const struct tile_coord thread_origin =
        thread_tile_origin(TILE / 2, TILE / 2);
    float sum[ROWS][COLS] = {{0}}, a_frag[ROWS], b_frag[COLS];

    for (unsigned k0 = 0; k0 < p.a.cols; k0 += TILE_K) {
#pragma unroll
        for (int i = 0; i < TILE * TILE_K / 4 / THREADS; i++) {
            const unsigned y = t / 2 + 64 * i, k_row = t / 32 + 4 * i;
            store_transposed(s_a, y, t % 2 * 4,
                             load_float4(&p.a, row + y, k0 + t % 2 * 4));
            *(float4 *)&s_b[k_row][t % 32 * 4] =
                load_float4(&p.b, k0 + k_row, col + t % 32 * 4);
        }
        __syncthreads(); /* the tiles are complete */
        for (int d = 0; d < TILE_K; d++) {
            load_fragment(a_frag, &s_a[d][thread_origin.y], STRIDE_Y);
            load_fragment(b_frag, &s_b[d][thread_origin.x], STRIDE_X);
            outer_product_add(sum, a_frag, b_frag);
        }
        __syncthreads(); /* all threads have read the tiles */
    }
    store_fragment(&p, row + thread_origin.y, col + thread_origin.x, sum,
                   STRIDE_Y, STRIDE_X);
}

static cudaError_t launch(const struct gemm_args *p)
{
    multiply<<<grid_over(p, TILE, TILE), THREADS>>>(*p);
    return cudaSuccess;
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast GEMM, step 3: vectorized accesses, 16 bytes each.  The tile of A is
 *  transposed while it is stored to shared memory, so that both operands are
 *  consecutive along rows there. */
#include "gemm.h"

enum { TILE = 128, TILE_K = 8, ITEMS_PER_THREAD = 8, THREADS = 256,
       PAD = 4 /* rows stay aligned to 16 bytes, without bank conflicts */ };

/** A thread owns two float4 of rows and two float4 of columns, 64 apart, of its
 *  block's tile of 128 by 128.
 *
 *  Block 256, 8,320 bytes of shared memory.  For 64 multiply-adds a thread
 *  makes 4 loads from shared memory, 16 bytes each, where step 2 makes 16.  A
 *  thread loads one float4 of A and one of B. The transposed stores of a warp
 *  use the banks (16 * (t % 2) + t / 2) mod 32, each once.  Barriers as in step
 *  1.
 */
__global__ void __launch_bounds__(THREADS) multiply(const struct gemm_args p)
{
    __shared__ __align__(16) float s_a[TILE_K][TILE + PAD], s_b[TILE_K][TILE];
    const unsigned t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
    const unsigned row = tile_first_row(TILE), col = blockIdx.x * TILE;
    float sum[ITEMS_PER_THREAD][ITEMS_PER_THREAD] = {{0}},
          a_frag[ITEMS_PER_THREAD], b_frag[ITEMS_PER_THREAD];

    for (unsigned k0 = 0; k0 < p.a.cols; k0 += TILE_K) {
        store_transposed(s_a, t / 2, t % 2 * 4,
                         load_float4(&p.a, row + t / 2, k0 + t % 2 * 4));
        *(float4 *)&s_b[t / 32][t % 32 * 4] =
            load_float4(&p.b, k0 + t / 32, col + t % 32 * 4);
        __syncthreads(); /* the tiles are complete */
        for (int d = 0; d < TILE_K; d++) {
            load_fragment(a_frag, &s_a[d][y], TILE / 2);
            load_fragment(b_frag, &s_b[d][x], TILE / 2);
            outer_product_add(sum, a_frag, b_frag);
        }
        __syncthreads(); /* all threads have read the tiles */
    }
    store_fragment(&p, row + y, col + x, sum, TILE / 2, TILE / 2);
}

static cudaError_t launch(const struct gemm_args *p)
{
    multiply<<<grid_over(p, TILE, TILE), THREADS>>>(*p);
    return cudaSuccess;
}

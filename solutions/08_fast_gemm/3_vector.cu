/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast product, step 3: 16 bytes an access everywhere.  A's tile is turned on
 *  its way into shared memory, so that both operands lie along rows there. */
#include "product.h"

enum { TILE = 128, DEEP = 8, EACH = 8, THREADS = 256,
       PAD = 4 /* quads of turned rows stay aligned and meet no bank twice */ };

/** A thread owns two quads of rows and two quads of columns, 64 apart, of its
 *  block's tile of 128 by 128.
 *
 *  Block 256, 8,320 bytes of shared memory.  For 64 multiply-adds a thread
 *  makes 4 loads from shared memory, 16 bytes each, where step 2 made 16.  A
 *  thread brings one quad of A and one of B; a warp's stores of turned quads
 *  meet banks (16 * (t % 2) + t / 2) mod 32, each once.  Barriers as in step 1.
 */
__global__ void __launch_bounds__(THREADS) multiply(const struct product p)
{
    __shared__ __align__(16) float s_a[DEEP][TILE + PAD], s_b[DEEP][TILE];
    const unsigned t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
    const unsigned row = first_row(TILE), col = blockIdx.x * TILE;
    float sum[EACH][EACH] = {{0}}, left[EACH], right[EACH];

    for (unsigned at = 0; at < p.a.cols; at += DEEP) {
        put_turned(s_a, t / 2, t % 2 * 4,
                   quad(&p.a, row + t / 2, at + t % 2 * 4));
        *(float4 *)&s_b[t / 32][t % 32 * 4] =
            quad(&p.b, at + t / 32, col + t % 32 * 4);
        __syncthreads(); /* the tiles are whole */
        for (int d = 0; d < DEEP; d++) {
            read_quads(left, &s_a[d][y], TILE / 2);
            read_quads(right, &s_b[d][x], TILE / 2);
            multiply_add(sum, left, right);
        }
        __syncthreads(); /* nobody reads them any more */
    }
    store_quads(&p, row + y, col + x, sum, TILE / 2, TILE / 2);
}

static cudaError_t launch(const struct product *p)
{
    multiply<<<grid_over(p, TILE, TILE), THREADS>>>(*p);
    return cudaSuccess;
}

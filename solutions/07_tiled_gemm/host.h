/* SPDX-License-Identifier: MIT */
/** @file
 *  The host code of lab 07: one block for 32 by 32 elements of C.
 *
 *  The steps differ only in their kernel: each defines its `multiply`.
 */
#ifndef TILED_GEMM_HOST_H
#define TILED_GEMM_HOST_H

#include "grid.h"
#include "tiled_gemm.h"

enum { TILE = 32 }; /* elements per side: the width of a warp */

/** c = a b; device pointers, grid of tiles, block TILE by TILE. */
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         unsigned m, unsigned n, unsigned k);

/** The first row of C in this block's tile.  The y dimension of the grid
 *  continues in z; the row may be below the last row of C. */
__device__ inline unsigned tile_first_row(void)
{
    return (blockIdx.z * gridDim.y + blockIdx.y) * TILE;
}

int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
    if (m == 0 || n == 0) return cudaSuccess;
    const dim3 grid = grid_of_tiles(ceil_div(n, TILE), ceil_div(m, TILE));
    multiply<<<grid, dim3(TILE, TILE)>>>(d_a, d_b, d_c, m, n, k);
    return CUDA_CHECK(cudaGetLastError());
}

#endif

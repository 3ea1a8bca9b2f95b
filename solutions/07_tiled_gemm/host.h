/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  The host's half of lab 07: one block for 32 by 32 elements of C.
 *
 *  The steps differ in their kernel alone: each defines its `multiply`.
 */
#ifndef TILED_GEMM_HOST_H
#define TILED_GEMM_HOST_H

// HANDOUT
// /** @file
//  *  Lab 07: the product of two matrices on the GPU.  The contract is in
//  *  tiled_gemm.h. */
// END SOLUTION
#include "grid.h"
#include "tiled_gemm.h"

enum { TILE = 32 }; /* elements a side: a warp's width */

/** c = a b; device pointers, grid of tiles, block TILE by TILE. */
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         unsigned m, unsigned n, unsigned k);

/** The first row of C of this block's tile: the grid's y goes on in z, and may
 *  go on below the last row. */
__device__ inline unsigned first_row(void)
{
    return (blockIdx.z * gridDim.y + blockIdx.y) * TILE;
}

int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
// BEGIN SOLUTION
    if (m == 0 || n == 0) return cudaSuccess;
    const dim3 grid = grid_of_tiles(tiles_for(n, TILE), tiles_for(m, TILE));
    multiply<<<grid, dim3(TILE, TILE)>>>(d_a, d_b, d_c, m, n, k);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 1: nothing to launch where C has no element */
//     /* TODO 2: a block a tile of C: grid_of_tiles(across, down); launch */
//     return cudaErrorNotSupported; /* TODO 3: the launch's error */
// END SOLUTION
}
// BEGIN SOLUTION

#endif
// END SOLUTION

/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 07: the product of two matrices on the GPU.  The contract is in
 *  tiled_gemm.h. */
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
    /* TODO 1: nothing to launch where C has no element */
    /* TODO 2: a block a tile of C: grid_of_tiles(across, down); launch */
    return cudaErrorNotSupported; /* TODO 3: the launch's error */
}

/** One element of C a thread, one tile of 32 by 32 a block.  Device
 *  pointers; that c overlaps neither input is what `__restrict__` promises. */
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         unsigned m, unsigned n, unsigned k)
{
    /* TODO 4: this thread's row and column of C; lanes of a warp
     * (threadIdx.x) should lie side by side in memory */
    /* TODO 5: the sum over p of a[row][p] * b[p][col]; indices in size_t */
    /* TODO 6: store it, if C has such an element */
    /* TODO 7, once all that is right: the same sum, 32 terms at a time, from
     * a tile of A and a tile of B in shared memory */
}

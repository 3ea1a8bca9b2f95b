/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 07: the product of two matrices on the GPU.  The contract is in
 *  tiled_gemm.h. */
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
    /* TODO 1: return early if C has no element */
    /* TODO 2: one block per tile of C: grid_of_tiles(across, down); launch */
    return cudaErrorNotSupported; /* TODO 3: the error of the launch */
}

/** One element of C per thread, one tile of 32 by 32 per block.  Device
 *  pointers; `__restrict__` promises that c overlaps neither input. */
__global__ void multiply(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c,
                         unsigned m, unsigned n, unsigned k)
{
    /* TODO 4: this thread's row and column of C; consecutive lanes
     * (threadIdx.x) should access consecutive elements */
    /* TODO 5: the sum over p of a[row][p] * b[p][col]; indices in size_t */
    /* TODO 6: store it, if C has such an element */
    /* TODO 7, when all of this is correct: the same sum, 32 terms at a time,
     * from a tile of A and a tile of B in shared memory */
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Transpose, step 1: read along rows, write down columns. */
#include "grid.h"
#include "transpose.h"

/** A thread owns one element, a block 32 by 8 of the input.
 *
 *  Grid over the input, no shared memory.  A warp reads 128 bytes in a row, 4
 *  sectors, and writes 32 floats that lie `rows` floats apart: 32 sectors for
 *  one store, 28 bytes of each for nothing.
 */
__global__ void transpose_each(const float *__restrict__ in,
                               float *__restrict__ out, int rows, int cols)
{
    unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned r = (blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y
                 + threadIdx.y;

    if (r < (unsigned)rows && c < (unsigned)cols)
        out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    const dim3 block(32, 8);

    if (rows == 0 || cols == 0) return cudaSuccess;
    const dim3 grid = grid_of_tiles(tiles_for(cols, block.x),
                                    tiles_for(rows, block.y));
    transpose_each<<<grid, block>>>(d_in, d_out, rows, cols);
    return CUDA_CHECK(cudaGetLastError());
}

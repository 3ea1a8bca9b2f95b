/* SPDX-License-Identifier: MIT */
/** @file
 *  Transpose, step 1: load along rows, store down columns. */
#include "grid.h"
#include "transpose.h"

/** A thread owns one element, a block 32 by 8 elements of the input.
 *
 *  Grid over the input, no shared memory.  A warp loads 128 consecutive bytes,
 *  4 sectors, and stores 32 floats with a stride of `rows` floats: 32 sectors
 *  for one store, of which it writes 4 bytes each.
 */
__global__ void transpose_naive(const float *__restrict__ in,
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
    const dim3 grid = grid_of_tiles(ceil_div(cols, block.x),
                                    ceil_div(rows, block.y));
    transpose_naive<<<grid, block>>>(d_in, d_out, rows, cols);
    return CUDA_CHECK(cudaGetLastError());
}

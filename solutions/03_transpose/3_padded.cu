/* SPDX-License-Identifier: MIT */
/** @file
 *  Transpose, step 3: padding.  One unused column moves each row of the tile by
 *  one bank. */
#include "tile.h"

/** A thread loads one element and stores another one; a block owns a tile.
 *
 *  Grid one block per tile, block 32 by 32, 4,224 bytes of shared memory.  Each
 *  element is loaded and stored once, 4 sectors per warp for each access.  The
 *  barrier separates the stores to the tile from the loads from it.  Element
 *  (i, j) is in bank (33 * i + j) mod 32, so a column uses all 32 banks: one
 *  wavefront.
 */
__global__ void transpose_tile(const float *__restrict__ in,
                               float *__restrict__ out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    struct thread_coords p = get_thread_coords();

    if (p.in_row < (unsigned)rows && p.in_col < (unsigned)cols)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)p.in_row * cols + p.in_col];
    __syncthreads();
    if (p.out_row < (unsigned)cols && p.out_col < (unsigned)rows)
        out[(size_t)p.out_row * rows + p.out_col] =
            tile[threadIdx.x][threadIdx.y];
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    if (rows == 0 || cols == 0) return cudaSuccess;
    transpose_tile<<<grid_of_matrix(rows, cols), dim3(TILE, TILE)>>>(
        d_in, d_out, rows, cols);
    return CUDA_CHECK(cudaGetLastError());
}

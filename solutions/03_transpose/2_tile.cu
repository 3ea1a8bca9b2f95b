/* SPDX-License-Identifier: MIT */
/** @file
 *  Transpose, step 2: transpose a tile in shared memory, so that both global
 *  accesses are coalesced. */
#include "tile.h"

/** A thread loads one element and stores another one; a block owns a tile.
 *
 *  Grid one block per tile, block 32 by 32, 4,096 bytes of shared memory.  Each
 *  element is loaded and stored once, 4 sectors per warp for each access.  The
 *  barrier separates the stores to the tile from the loads of its columns.
 *  Such a load needs 32 wavefronts: a column is in one bank.
 */
__global__ void transpose_tile(const float *__restrict__ in,
                               float *__restrict__ out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];
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

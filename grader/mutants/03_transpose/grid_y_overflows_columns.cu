// verdict: WRONG
// expect: 1 x 2100001
// test: thin
/* SPDX-License-Identifier: MIT */
/* gridDim.y ends at 65,535: at two million columns. */
#include "check.h"
#include "transpose.h"

enum { TILE = 32 };

/* A block transposes one tile; its columns begin at blockIdx.y * TILE. */
__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.x * TILE, col = blockIdx.y * TILE;

    if (row + y < rows && col + x < cols)
        tile[y][x] = in[(size_t)(row + y) * cols + col + x];
    __syncthreads();
    if (col + y < cols && row + x < rows)
        out[(size_t)(col + y) * rows + row + x] = tile[x][y];
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    const dim3 grid((rows + TILE - 1) / TILE, (cols + TILE - 1) / TILE);

    if (rows == 0 || cols == 0) return cudaSuccess;
    turn<<<grid, dim3(TILE, TILE)>>>(d_in, d_out, rows, cols);
    return CUDA_CHECK(cudaGetLastError());
}

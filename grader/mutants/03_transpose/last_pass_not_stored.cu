// verdict: WRONG
// expect: rows 24 to 30, and the 256 threads of a block store 8 rows at a time
// test: edges
// Blocks of 32 x 8 threads store three of the four parts of a tile.
#include "grid.h"
#include "transpose.h"

enum { TILE = 32, ROWS = 8 };

/* The loop that stores ends a pass early. */
__global__ void transpose_tiles(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    const size_t y0 = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * TILE;
    const size_t x0 = (size_t)blockIdx.x * TILE;
    const unsigned x = threadIdx.x;

    for (unsigned y = threadIdx.y; y < TILE; y += ROWS)
        if (y0 + y < rows && x0 + x < cols)
            tile[y][x] = in[(y0 + y) * cols + x0 + x];
    __syncthreads();
    for (unsigned y = threadIdx.y; y < TILE - ROWS; y += ROWS)
        if (x0 + y < cols && y0 + x < rows)
            out[(x0 + y) * rows + y0 + x] = tile[x][y];
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    if (rows == 0 || cols == 0) return cudaSuccess;
    transpose_tiles<<<grid_of_tiles(ceil_div(cols, TILE), ceil_div(rows, TILE)),
                      dim3(TILE, ROWS)>>>(d_in, d_out, rows, cols);
    return CUDA_CHECK(cudaGetLastError());
}

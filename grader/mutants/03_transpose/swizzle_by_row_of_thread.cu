// verdict: WRONG
// expect: each wrong element is another of its tile
// test: edges
// hint: not the thread's
// The load's swizzle has threadIdx.y in place of the row of the tile.
#include "check.h"
#include "grid.h"
#include "transpose.h"

enum { SIDE = 32, STEP = 8 };

/* Row j of a tile keeps column x at x ^ j. */
__global__ void swizzled(const float *in, float *out, size_t rows, size_t cols)
{
    __shared__ float s_tile[SIDE][SIDE];
    const size_t row = (size_t)blockIdx.y * SIDE;
    const size_t col = (size_t)blockIdx.x * SIDE;
    const unsigned x = threadIdx.x;

    for (unsigned j = threadIdx.y; j < SIDE; j += STEP)
        if (row + j < rows && col + x < cols)
            s_tile[j][x ^ j] = in[(row + j) * cols + col + x];
    __syncthreads();
    for (unsigned j = threadIdx.y; j < SIDE; j += STEP)
        if (col + j < cols && row + x < rows)
            out[(col + j) * rows + row + x] = s_tile[x][j ^ threadIdx.y];
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    if (rows == 0 || cols == 0) return cudaSuccess;
    swizzled<<<dim3(ceil_div(cols, SIDE), ceil_div(rows, SIDE)),
               dim3(SIDE, STEP)>>>(d_in, d_out, (size_t)rows, (size_t)cols);
    return CUDA_CHECK(cudaGetLastError());
}

// verdict: WRONG
// expect: the sum with that of the tiles which its block computed before
// test: large
/* SPDX-License-Identifier: MIT */
/** @file
 *  A block computes several tiles of C, one after another, and does not set its
 *  sum to 0 in between: wrong only if C has more tiles than the grid blocks. */
#include "grid.h"
#include "tiled_gemm.h"

enum { TILE = 32 };

/** A block owns every gridDim.x-th tile. */
__global__ void multiply(const float *a, const float *b, float *c, int m,
                         int n, int k)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const size_t across = (n + TILE - 1) / TILE;
    const size_t tiles = across * ((m + TILE - 1) / TILE);
    float sum = 0;

    for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        const size_t row = t / across * TILE + y, col = t % across * TILE + x;

        for (int k0 = 0; k0 < k; k0 += TILE) {
            s_a[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0;
            s_b[y][x] =
                k0 + y < k && col < n ? b[(size_t)(k0 + y) * n + col] : 0;
            __syncthreads();
            for (int p = 0; p < TILE; p++) sum += s_a[y][p] * s_b[p][x];
            __syncthreads();
        }
        if (row < m && col < n) c[row * n + col] = sum;
    }
}

int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
    const size_t tiles =
        ceil_div((size_t)m, TILE) * ceil_div((size_t)n, TILE);
    unsigned blocks = 0;

    if (m == 0 || n == 0) return cudaSuccess;
    cudaError_t err =
        grid_stride_blocks(&blocks, tiles * TILE * TILE, TILE * TILE);
    if (err) return err;
    multiply<<<blocks, dim3(TILE, TILE)>>>(d_a, d_b, d_c, m, n, k);
    return CUDA_CHECK(cudaGetLastError());
}

// verdict: WRONG
// expect: the sum with that of the tiles which its block computed before
// test: thin
// hint: sets the sums of its threads to 0 for each tile
/* SPDX-License-Identifier: MIT */
/** @file
 *  Four blocks walk over the tiles of C, and a thread sets its sum to 0 once,
 *  not for each tile. */
#include "fast_gemm.h"
#include "grid.h"

enum { TILE = 16, BLOCKS = 4 };

/** A thread owns one element of each of its block's tiles. */
__global__ void multiply(const float *a, const float *b, float *c, int m,
                         int n, int k, float alpha, float beta)
{
    const size_t across = (n + TILE - 1) / TILE;
    const size_t tiles = across * ((m + TILE - 1) / TILE);
    float sum = 0;

    for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        const size_t row = t / across * TILE + threadIdx.y;
        const size_t col = t % across * TILE + threadIdx.x;
        const size_t at = row * n + col;

        if (row >= m || col >= n) continue;
        for (int p = 0; p < k; p++)
            sum += a[row * k + p] * b[(size_t)p * n + col];
        c[at] = beta == 0 ? alpha * sum : alpha * sum + beta * c[at];
    }
}

int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    if (m == 0 || n == 0) return cudaSuccess;
    multiply<<<BLOCKS, dim3(TILE, TILE)>>>(d_a, d_b, d_c, m, n, k, alpha,
                                           beta);
    return CUDA_CHECK(cudaGetLastError());
}

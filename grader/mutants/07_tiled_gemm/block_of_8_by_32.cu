// verdict: WRONG
// expect: of each 32 columns only the first 8 were
// test: oblong
/* SPDX-License-Identifier: MIT */
/** @file
 *  The index counts tiles of 32 x 8, and the block has 8 x 32 threads. */
#include "grid.h"
#include "tiled_gemm.h"

enum { WIDTH = 32, HEIGHT = 8 }; /* of a tile */

/** A thread owns an element of C; the tiles are numbered along x. */
__global__ void multiply(const float *a, const float *b, float *c, int m,
                         int n, int k, unsigned across)
{
    const size_t col = (size_t)(blockIdx.x % across) * WIDTH + threadIdx.x;
    const size_t row = (size_t)(blockIdx.x / across) * HEIGHT + threadIdx.y;
    float sum = 0;

    if (row >= m || col >= n) return;
    for (int p = 0; p < k; p++) sum += a[row * k + p] * b[(size_t)p * n + col];
    c[row * n + col] = sum;
}

int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
    if (m == 0 || n == 0) return cudaSuccess;
    const unsigned across = (unsigned)ceil_div(n, WIDTH);
    const unsigned down = (unsigned)ceil_div(m, HEIGHT);

    multiply<<<across * down, dim3(HEIGHT, WIDTH)>>>(d_a, d_b, d_c, m, n, k,
                                                     across);
    return CUDA_CHECK(cudaGetLastError());
}

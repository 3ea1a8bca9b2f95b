// verdict: WRONG
// expect: each of which multiplies C by beta
// test: factors
/* SPDX-License-Identifier: MIT */
/* A launch for each 256 terms, all with the same beta. */
#include "fast_gemm.h"
#include "grid.h"

enum { PIECE = 256 };

/** A thread adds PIECE terms of one element, and beta times C again. */
__global__ void multiply_piece(const float *a, const float *b, float *c,
                               unsigned m, unsigned n, unsigned k,
                               unsigned first, float alpha, float beta)
{
    const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.z * gridDim.y + blockIdx.y;
    const unsigned end = k - first < PIECE ? k : first + PIECE;
    float sum = 0;

    if (row >= m || col >= n) return;
    for (unsigned p = first; p < end; p++)
        sum += a[(size_t)row * k + p] * b[(size_t)p * n + col];
    float *at = &c[(size_t)row * n + col];
    *at = beta == 0 ? alpha * sum : alpha * sum + beta * *at;
}

int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    const dim3 grid = grid_of_tiles(ceil_div(n, 64), m);

    if (m == 0 || n == 0) return cudaSuccess;
    for (int first = 0; first == 0 || first < k; first += PIECE)
        multiply_piece<<<grid, 64>>>(d_a, d_b, d_c, m, n, k, first, alpha,
                                     first && beta == 0 ? 1 : beta);
    return CUDA_CHECK(cudaGetLastError());
}

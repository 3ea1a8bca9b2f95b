// verdict: SCORE
// expect: 60 75 right
/* SPDX-License-Identifier: MIT */
/** @file
 *  Right, but each thread loads a row of A and a column of B by itself: no
 *  shared memory, so neither bank conflicts nor barriers. */
#include "check.h"
#include "fast_gemm.h"
#include "grid.h"

/** A thread owns one element of C.  Grid ceil(m n / 128), no shared memory. */
__global__ void multiply(const float *a, const float *b, float *c, size_t m,
                         size_t n, size_t k, float alpha, float beta)
{
    const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (at >= m * n) return;
    for (size_t p = 0; p < k; p++)
        sum += a[at / n * k + p] * b[p * n + at % n];
    c[at] = beta == 0 ? alpha * sum : alpha * sum + beta * c[at];
}

int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    const size_t all = (size_t)m * n;

    if (all == 0) return cudaSuccess;
    multiply<<<(unsigned)ceil_div(all, 128), 128>>>(d_a, d_b, d_c, m, n, k,
                                                    alpha, beta);
    return CUDA_CHECK(cudaGetLastError());
}

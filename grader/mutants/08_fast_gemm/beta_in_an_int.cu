// verdict: WRONG
// expect: that with -2 in place of beta = -2.5
// test: factors
// hint: an int loses the fraction
/* SPDX-License-Identifier: MIT */
/** @file
 *  beta is passed on as an int. */
#include "fast_gemm.h"
#include "grid.h"

enum { THREADS = 256 };

/** A thread owns one element of C. */
__global__ void multiply(const float *a, const float *b, float *c, size_t m,
                         size_t n, size_t k, float alpha, int beta)
{
    const size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;

    if (at >= m * n) return;
    for (size_t p = 0; p < k; p++)
        sum += a[at / n * k + p] * b[p * n + at % n];
    c[at] = beta == 0 ? alpha * sum : alpha * sum + beta * c[at];
}

int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    const size_t elements = (size_t)m * n;

    if (elements == 0) return cudaSuccess;
    multiply<<<(unsigned)ceil_div(elements, THREADS), THREADS>>>(
        d_a, d_b, d_c, m, n, k, alpha, (int)beta);
    return CUDA_CHECK(cudaGetLastError());
}

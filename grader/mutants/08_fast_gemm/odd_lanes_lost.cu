// verdict: WRONG
// expect: the terms p = 0, 2, 4
// test: thin
// hint: its step at a distance of 1
/* SPDX-License-Identifier: MIT */
/** @file
 *  A warp adds the terms of an element, and the shuffles end before a distance
 *  of 1: lanes with odd numbers are left out. */
#include "fast_gemm.h"
#include "grid.h"

enum { THREADS = 256 };

/** A warp owns one element of C. */
__global__ void multiply(const float *a, const float *b, float *c, size_t m,
                         size_t n, size_t k, float alpha, float beta)
{
    const size_t lane = threadIdx.x % 32;
    const size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) / 32;
    float sum = 0;

    if (at >= m * n) return;
    for (size_t p = lane; p < k; p += 32)
        sum += a[at / n * k + p] * b[p * n + at % n];
    for (int d = 16; d > 1; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        c[at] = beta == 0 ? alpha * sum : alpha * sum + beta * c[at];
}

int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    const size_t threads = (size_t)m * n * 32;

    if (threads == 0) return cudaSuccess;
    multiply<<<(unsigned)ceil_div(threads, THREADS), THREADS>>>(
        d_a, d_b, d_c, m, n, k, alpha, beta);
    return CUDA_CHECK(cudaGetLastError());
}

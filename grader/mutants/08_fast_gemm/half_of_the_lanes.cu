// verdict: WRONG
// expect: the second half of the terms of each tile of 32
// test: thin
// hint: the 32 lanes of a warp begin with a distance of 16
/* SPDX-License-Identifier: MIT */
/** @file
 *  A warp adds the terms of an element, and the shuffles begin with a distance
 *  of 8: lanes 16 to 31 are left out. */
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
    for (int d = 8; d > 0; d /= 2)
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

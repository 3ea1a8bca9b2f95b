// verdict: WRONG
// expect: the order of the additions is not deterministic
// test: again
/* SPDX-License-Identifier: MIT */
/* Few tiles and many terms: eight blocks share the terms of a tile, and add
 * their sums in the order in which they finish. */
#include "grid.h"
#include "tiled_gemm.h"

/** A thread adds a slice of the terms of one element. */
__global__ void multiply(const float *a, const float *b, float *c, unsigned m,
                         unsigned n, unsigned k, unsigned slice)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned first = blockIdx.y * slice;
    const unsigned end = k - first < slice ? k : first + slice;
    float sum = 0;

    if (i >= m * n || first >= k) return;
    for (unsigned p = first; p < end; p++)
        sum += a[(size_t)(i / n) * k + p] * b[(size_t)p * n + i % n];
    atomicAdd(&c[i], sum);
}

int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
    const unsigned slices = k >= 512 ? 8 : 1;

    if (m == 0 || n == 0) return cudaSuccess;
    cudaError_t err = CUDA_CHECK(
        cudaMemsetAsync(d_c, 0, (size_t)m * n * sizeof *d_c));
    if (err) return err;
    multiply<<<dim3((unsigned)ceil_div((size_t)m * n, 256), slices), 256>>>(
        d_a, d_b, d_c, m, n, k, (k + slices - 1) / slices);
    return CUDA_CHECK(cudaGetLastError());
}

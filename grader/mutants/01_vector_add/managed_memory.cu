// verdict: SCORE
// expect: 96 100 right
/* SPDX-License-Identifier: MIT */
/* The vectors lie one after the other in managed memory: a page has the end of
 * `b` and the start of the sums, and that end is also in the midst of `a`. */
#include <string.h>

#include "check.h"
#include "vector_add.h"

/* A thread adds one element. */
__global__ void add(const float *x, const float *y, float *sum, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        sum[i] = x[i] + y[i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *m = NULL;
    cudaError_t err;

    if (n == 0) return cudaSuccess;
    err = CUDA_CHECK(cudaMallocManaged(&m, 3 * bytes));
    if (err) return err;
    memcpy(m, a, bytes);
    memcpy(m + n, b, bytes);
    add<<<(unsigned)((n + 255) / 256), 256>>>(m, m + n, m + 2 * n, n);
    err = CUDA_CHECK(cudaGetLastError());
    if (!err) err = CUDA_CHECK(cudaDeviceSynchronize());
    if (!err) memcpy(c, m + 2 * n, bytes);
    cudaFree(m);
    return err;
}

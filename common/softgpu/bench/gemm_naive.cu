/* SPDX-License-Identifier: MIT */
/* C = A * B, each element a dot product of its own. */
#include "bench.h"

/* A thread owns C[row][column]; neighbors in x own neighboring columns. */
__global__ void gemm_naive(const float *a, const float *b, float *c, int n)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

void soft_gemm_naive(const struct bench_data *w)
{
    const dim3 block(16, 16), grid(GEMM_N / 16, GEMM_N / 16);
    gemm_naive<<<grid, block>>>(w->a, w->b, w->out, GEMM_N);
}

// verdict: CHECK
// expect: 16-byte read at an address
// SPDX-License-Identifier: MIT
/* A float4 load of A wherever rows are whole float4, at any pointer.  On a CPU
 * the compiler may load its members one by one: no address is misaligned then,
 * and only the sanitizer tells. */
#include "grid.h"
#include "fast_gemm.h"

/** A thread owns one element of C; four terms at a time if rows of A are
 *  multiples of 16 bytes. */
__global__ void multiply(const float *a, const float *b, float *c, int m,
                         int n, int k, float alpha, float beta)
{
    const size_t row = (size_t)blockIdx.y * gridDim.z + blockIdx.z;
    const size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int p = 0;

    if (row >= (size_t)m || col >= (size_t)n) return;
    for (; k % 4 == 0 && p < k; p += 4) {
        const float4 v = *(const float4 *)&a[row * k + p];

        sum += v.x * b[(size_t)p * n + col];
        sum += v.y * b[(size_t)(p + 1) * n + col];
        sum += v.z * b[(size_t)(p + 2) * n + col];
        sum += v.w * b[(size_t)(p + 3) * n + col];
    }
    for (; p < k; p++)
        sum += a[row * k + p] * b[(size_t)p * n + col];
    float *to = &c[row * n + col];
    *to = alpha * sum + (beta == 0 ? 0 : beta * *to);
}

/* One row of C for each y and z of the grid. */
int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    if (m == 0 || n == 0) return cudaSuccess;
    const unsigned deep = (unsigned)ceil_div(m, 65535);
    const dim3 grid((unsigned)ceil_div(n, 64), (unsigned)ceil_div(m, deep),
                    deep);
    multiply<<<grid, 64>>>(d_a, d_b, d_c, m, n, k, alpha, beta);
    return CUDA_CHECK(cudaGetLastError());
}

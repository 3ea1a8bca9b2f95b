/* SPDX-License-Identifier: MIT */
/** @file
 *  The host code of all steps of lab 09: arguments, types, and how a warp
 *  stores a 16 x 16 tile.  The steps differ in their `launch`. */
#ifndef TENSOR_HOST_H
#define TENSOR_HOST_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "grid.h"
#include "tensor_gemm.h"

using namespace nvcuda;

enum { TILE = 16, LANES = 32 }; /* side of a fragment, threads of a warp */

/** Problem size: C is m x n, A m x k, B k x n. */
struct shape {
    int m, n, k;
};

/** Does the target architecture have tensor cores for T? Those for bfloat16
 *  need compute capability 8.0; `if constexpr` excludes code that would not
 *  compile. */
template <typename T> constexpr bool has_tensor_cores = true;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <> constexpr bool has_tensor_cores<__nv_bfloat16> = false;
#endif

/** A warp stores a fragment of sums at [row][column] of C, with bounds checks,
 *  through its own TILE * TILE floats of shared memory. */
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
    __syncwarp(); /* all lanes have read before the next tile is stored */
}

/** Launch the kernel; no size is 0.  Device pointers. */
template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, float *d_c,
                          struct shape s);

/** The compute capability of the GPU, 90 for 9.0. */
static cudaError_t compute_capability(int *cc)
{
    int device = 0, major = 0, minor = 0;
    cudaError_t err = CUDA_CHECK(cudaGetDevice(&device));

    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &major, cudaDevAttrComputeCapabilityMajor, device));
    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &minor, cudaDevAttrComputeCapabilityMinor, device));
    *cc = 10 * major + minor;
    return err;
}

int tensor_gemm(const void *d_a, const void *d_b, float *d_c, int m, int n,
                int k, int type)
{
    const struct shape s = {m, n, k};
    int cc = 0;
    cudaError_t err = compute_capability(&cc);

    if (err) return err;
    if (m < 0 || n < 0 || k < 0 || (type != TENSOR_FP16 && type != TENSOR_BF16))
        return cudaErrorInvalidValue;
    if (type == TENSOR_BF16 && cc < 80) return cudaErrorNotSupported;
    if (m == 0 || n == 0) return cudaSuccess;
    if (k == 0)
        return CUDA_CHECK(cudaMemsetAsync(
            d_c, 0, (size_t)m * (size_t)n * sizeof *d_c));
    return type == TENSOR_FP16
               ? launch((const __half *)d_a, (const __half *)d_b, d_c, s)
               : launch((const __nv_bfloat16 *)d_a,
                        (const __nv_bfloat16 *)d_b, d_c, s);
}

#endif

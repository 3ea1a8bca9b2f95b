/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 07, the contract: multiply two matrices in device memory. */
#ifndef TILED_GEMM_H
#define TILED_GEMM_H

#ifdef __cplusplus
extern "C" {
#endif

/** C = A B on the GPU.  All matrices are row-major and dense.
 *
 *  @param[in]  d_a  device, m * k floats, row i at d_a + i * k; aligned as a
 *                   float; unchanged
 *  @param[in]  d_b  device, k * n floats, likewise
 *  @param[out] d_c  device, m * n floats, all written, none read; aligned as a
 *                   float; overlaps neither input
 *  @param      m    rows of A and C, at least 0; with 0 there is no launch
 *  @param      n    columns of B and C, at least 0; with 0 there is no launch
 *  @param      k    columns of A, rows of B, at least 0; with 0 all of C is 0;
 *                   each matrix may have more than 2^32 elements
 *  @return  cudaSuccess, or the error of the launch
 *
 *  Computes in float, with the additions in any order: the absolute error of
 *  element (i, j) is at most (k + 2) * 2^-24 * sum |a[i][p] * b[p][j]|.
 *  Infinities and NaNs affect only the elements whose sums contain them.
 *  Deterministic: the same input gives the same bits.
 *
 *  Uses the default stream, allocates nothing, copies nothing to the host, and
 *  may return before the kernel has finished.  Budget, with tiles of 32: each
 *  element of A is loaded ceil(n / 32) times and each of B ceil(m / 32) times,
 *  in sectors of 32 bytes; no shared-memory bank conflicts, no races.
 */
int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k);

#ifdef __cplusplus
}
#endif

#endif

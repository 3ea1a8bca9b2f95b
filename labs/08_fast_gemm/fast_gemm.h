/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 08, the contract: fast multiplication of two matrices in device memory.
 */
#ifndef FAST_GEMM_H
#define FAST_GEMM_H

#ifdef __cplusplus
extern "C" {
#endif

/** C = alpha A B + beta C on the GPU.  All matrices are row-major and dense.
 *
 *  @param[in]     d_a  device, m * k floats, row i at d_a + i * k; aligned as a
 *                      float; unchanged
 *  @param[in]     d_b  device, k * n floats, likewise
 *  @param[in,out] d_c  device, m * n floats, aligned as a float; overlaps
 *                      neither input.  With beta = 0 it is not read: a NaN in
 *                      it has no effect
 *  @param  m      rows of A and C, at least 0; with 0 there is no launch
 *  @param  n      columns of B and C, at least 0; with 0 there is no launch
 *  @param  k      columns of A, rows of B, at least 0; with 0: C = beta C; each
 *                 matrix may have more than 2^32 elements
 *  @param  alpha  factor of A B; with 0 it is undefined whether infinities and
 *                 NaNs of A and B affect C
 *  @param  beta   factor of the old C
 *  @return  cudaSuccess, or the error of a launch
 *
 *  Computes in float (no TF32), with the additions in any order: the absolute
 *  error of element (i, j) is at most
 *  (k + 2) * 2^-24 * (|alpha| sum |a[i][p] * b[p][j]| + |beta c[i][j]|).
 *  Infinities and NaNs affect only the elements whose sums contain them.
 *  Deterministic: the same input gives the same bits.
 *
 *  Uses the default stream, may be captured into a graph, allocates nothing,
 *  copies nothing to the host, and may return before the kernels have finished.
 *  Budget for matrices with some thousand rows and columns: each element of A
 *  is loaded ceil(n / 128) times and each of B ceil(m / 128) times, 16 bytes
 *  per lane if rows start at multiples of 16 bytes; no shared-memory bank
 *  conflicts, no races.
 */
int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta);

#ifdef __cplusplus
}
#endif

#endif

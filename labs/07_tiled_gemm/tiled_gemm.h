/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 07, the contract: multiply two matrices that lie in device memory. */
#ifndef TILED_GEMM_H
#define TILED_GEMM_H

#ifdef __cplusplus
extern "C" {
#endif

/** C = A B on the GPU, all row-major and not padded.
 *
 *  @param[in]  d_a  device, m * k floats, row i at d_a + i * k; any address a
 *                   float may have; unchanged
 *  @param[in]  d_b  device, k * n floats; likewise
 *  @param[out] d_c  device, m * n floats, all written, none read; overlaps
 *                   neither input; any address a float may have
 *  @param      m    rows of A and C, not negative; 0 launches nothing
 *  @param      n    columns of B and C, not negative; 0 launches nothing
 *  @param      k    columns of A, rows of B, not negative; with 0 all of C
 *                   is 0; each matrix may have more than 2^31 elements
 *  @return  cudaSuccess, or the error of the launch
 *
 *  Computes in float, in any order of additions: element (i, j) is within
 *  (k + 2) * 2^-24 * sum |a[i][p] * b[p][j]| of the true one.  Infinities and
 *  NaNs reach the elements whose sums they are in, and no others.
 *  Deterministic: the same input gives the same bits.
 *
 *  Works on the default stream, allocates nothing, brings nothing to the host,
 *  and may return before the kernel ends.  Budget, with tiles of 32: each
 *  element of A is read ceil(n / 32) times and each of B ceil(m / 32) times, in
 *  sectors of 32 bytes; no shared-memory bank conflicts, no races.
 */
int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 08, the contract: multiply two matrices that lie in device memory,
 *  fast. */
#ifndef FAST_GEMM_H
#define FAST_GEMM_H

#ifdef __cplusplus
extern "C" {
#endif

/** C = alpha A B + beta C on the GPU, all row-major and not padded.
 *
 *  @param[in]     d_a  device, m * k floats, row i at d_a + i * k; any address
 *                      a float may have; unchanged
 *  @param[in]     d_b  device, k * n floats; likewise
 *  @param[in,out] d_c  device, m * n floats; with beta = 0 it is not read, so
 *                      that NaNs in it do not matter; overlaps neither input;
 *                      any address a float may have
 *  @param  m      rows of A and C, not negative; 0 launches nothing
 *  @param  n      columns of B and C, not negative; 0 launches nothing
 *  @param  k      columns of A, rows of B, not negative; 0: C = beta C; each
 *                 matrix may have more than 2^31 elements
 *  @param  alpha  factor of the product; with 0 it is open whether infinities
 *                 and NaNs of A and B reach C
 *  @param  beta   factor of what is in C
 *  @return  cudaSuccess, or the error of a launch
 *
 *  Computes in float (no TF32), in any order of additions: element (i, j) is
 *  within (k + 2) * 2^-24 * (|alpha| sum |a[i][p] * b[p][j]| + |beta c[i][j]|)
 *  of the true one.  Infinities and NaNs reach the elements whose sums they
 *  are in, and no others.  Deterministic: the same input gives the same bits.
 *
 *  Works on the default stream, may be captured into a graph, allocates
 *  nothing, brings nothing to the host, and may return before the kernels end.
 *  Budget for some thousands a side: each element of A is read ceil(n / 128) times and each of B
 *  ceil(m / 128) times, 16 bytes a lane where rows begin at multiples of 16
 *  bytes; no shared-memory bank conflicts, no races.
 */
int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta);

#ifdef __cplusplus
}
#endif

#endif

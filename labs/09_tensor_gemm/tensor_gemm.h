/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 09, the contract: the product of two matrices of 16-bit floats,
 *  accumulated in float. */
#ifndef TENSOR_GEMM_H
#define TENSOR_GEMM_H

#ifdef __cplusplus
extern "C" {
#endif

/** Data type of the elements of A and B. */
enum tensor_type {
    TENSOR_FP16, /**< half: 11 bits of mantissa, up to 65,504 */
    TENSOR_BF16  /**< bfloat16: 8 bits of mantissa, the range of float */
};

/** C = A B on the GPU.  All matrices are row-major and dense.
 *
 *  @param[in]  d_a   device, m x k elements, aligned to 2 bytes; unchanged
 *  @param[in]  d_b   device, k x n elements, likewise
 *  @param[out] d_c   device, m x n floats, aligned to 4 bytes; all written,
 *                    none read; overlaps neither A nor B
 *  @param      m, n, k  at least 0; m * n, m * k and k * n at most 2^40; with
 *                    k = 0 all of C is 0
 *  @param      type  an enum tensor_type, the type of both A and B
 *  @return  cudaSuccess or the error of a launch; cudaErrorNotSupported for
 *           bfloat16 on a GPU below compute capability 8.0;
 *           cudaErrorInvalidValue for another type or a negative size, also
 *           where C has no element
 *
 *  Products are exact in float.  The absolute error of an element of C is at
 *  most 2 * (k + 2) * 2^-24 * sum |a b|, for additions in any order: the
 *  accumulator must be float, not 16 bits.  Infinities and NaNs propagate.
 *  Deterministic: the same input gives the same bits.
 *
 *  Uses the default stream, allocates nothing, copies nothing to the host, and
 *  may return before the kernel has finished.  Budget: with tiles of 128 x 128
 *  each element of A is loaded n / 128 times and each of B m / 128 times, in
 *  whole sectors; no races.
 */
int tensor_gemm(const void *d_a, const void *d_b, float *d_c, int m, int n,
                int k, int type);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 09, the contract: the product of two matrices of 16-bit floats, summed
 *  up in float. */
#ifndef TENSOR_GEMM_H
#define TENSOR_GEMM_H

#ifdef __cplusplus
extern "C" {
#endif

/** What the elements of A and B are. */
enum tensor_type {
    TENSOR_FP16, /**< half: 11 bits of mantissa, up to 65,504 */
    TENSOR_BF16  /**< bfloat16: 8 bits of mantissa, the range of float */
};

/** C = A B on the GPU.
 *
 *  @param[in]  d_a   device, m x k elements by rows, any address a 16-bit
 *                    number may have; unchanged
 *  @param[in]  d_b   device, k x n elements by rows, likewise
 *  @param[out] d_c   device, m x n floats by rows, all written and none read;
 *                    overlaps neither A nor B
 *  @param      m, n, k  0 or more, m * n, m * k and k * n up to 2^40; k = 0
 *                    gives zeros
 *  @param      type  an enum tensor_type, of A and B alike
 *  @return  cudaSuccess or the error of a launch; cudaErrorNotSupported for
 *           bfloat16 on a card before cc 8.0; cudaErrorInvalidValue for another
 *           type or a negative size
 *
 *  Products are exact in float; an element of C is within
 *  2 * (k + 2) * 2^-24 * sum |a b| of the true one, in whatever order they are
 *  summed: sums must be in float, not in 16 bits.  Infinities and NaNs go
 *  through as usual.  The same input gives the same bits.
 *
 *  Works on the default stream, allocates nothing, brings nothing to the host,
 *  and may return before the kernel ends.  Budget: with tiles of 128 x 128,
 *  each element of A is read n / 128 times, of B m / 128 times, in whole
 *  sectors; no races.
 */
int tensor_gemm(const void *d_a, const void *d_b, float *d_c, int m, int n,
                int k, int type);

#ifdef __cplusplus
}
#endif

#endif

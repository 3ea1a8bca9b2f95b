/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 04, the contract: the sum or the maximum of floats in device memory. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The operation of a reduction. */
enum reduction_op {
    REDUCTION_SUM, /**< sum; identity element 0 */
    REDUCTION_MAX  /**< maximum, as fmaxf; identity element -infinity */
};

/** Floats in the workspace for n elements. */
#define REDUCTION_WORKSPACE(n) ((n) / 128 + 64)

/** Reduce a vector to one value on the GPU.
 *
 *  @param[in]  d_in    device, n floats, aligned as a float; unchanged
 *  @param[out] d_out   device, 1 float, aligned as a float; also written for
 *                      n = 0 (the identity element); overlaps no other array
 *  @param[out] d_work  device, REDUCTION_WORKSPACE(n) floats for any use,
 *                      aligned to 256 bytes; their contents before and after
 *                      are undefined; overlaps no other array
 *  @param      n       elements, also more than 2^31
 *  @param      op      an enum reduction_op
 *  @return  cudaSuccess, or the error of a launch
 *
 *  The absolute error of the sum is at most
 *  2 * (128 + log2 n) * 2^-24 * sum |x|: float is precise enough if no thread
 *  adds thousands of elements in a row.  A sum propagates infinities and NaNs;
 *  a maximum ignores NaNs: of NaNs alone it is a NaN or -infinity.  A maximum
 *  of both zeros is either of them.  Deterministic: the same elements give the same bits
 *  on the same device, for any order in which the blocks run.
 *
 *  Uses the default stream, allocates nothing, copies nothing to the host, and
 *  may return before the kernels have finished.  Budget: ceil(n / 8) sectors of
 *  32 bytes loaded once, and at most about REDUCTION_WORKSPACE(n) / 4 more; no
 *  races.
 */
int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op);

#ifdef __cplusplus
}
#endif

#endif

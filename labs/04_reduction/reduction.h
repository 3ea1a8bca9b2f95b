/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 04, the contract: the sum or the largest of the floats in device
 *  memory. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is made of all elements. */
enum reduction_op {
    REDUCTION_SUM, /**< their sum; of none: 0 */
    REDUCTION_MAX  /**< the largest, as fmaxf has it; of none: -infinity */
};

/** Floats that the work space for n elements has. */
#define REDUCTION_WORK(n) ((n) / 128 + 64)

/** Combine all elements of a vector into one on the GPU.
 *
 *  @param[in]  d_in    device, n floats, any address a float may have;
 *                      unchanged
 *  @param[out] d_out   device, 1 float, written for n = 0 too; overlaps
 *                      nothing
 *  @param[out] d_work  device, REDUCTION_WORK(n) floats to use as you like,
 *                      of any contents before and after; overlaps nothing
 *  @param      n       elements, more than 2^31 too
 *  @param      op      an enum reduction_op
 *  @return  cudaSuccess, or the error of a launch
 *
 *  The sum is within 2 * (128 + log2 n) * 2^-24 * sum |x| of the true one:
 *  float will do, as long as no thread adds up thousands in a row.  Infinities
 *  and NaNs go through a sum as usual; the largest passes NaNs over.
 *  Deterministic: the same elements give the same bits on the same device,
 *  in whatever order blocks run.
 *
 *  Works on the default stream, allocates nothing, brings nothing to the host,
 *  and may return before the kernels end.  Budget: ceil(n / 8) sectors of 32
 *  bytes read once, and few more than REDUCTION_WORK(n) / 4 besides; no races.
 */
int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op);

#ifdef __cplusplus
}
#endif

#endif

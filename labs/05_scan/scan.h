/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 05, the contract: running sums (a scan, or prefix sum) of floats in
 *  device memory. */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Does the running sum of an element include the element itself? */
enum scan_kind {
    SCAN_INCLUSIVE, /**< out[i] = in[0] + ... + in[i] */
    SCAN_EXCLUSIVE  /**< out[i] = in[0] + ... + in[i - 1]; out[0] = 0 */
};

/** Bytes of the workspace for n elements. */
#define SCAN_WORKSPACE(n) ((n) / 32 + 1024)

/** Compute the running sums of a vector on the GPU.
 *
 *  @param[in]  d_in    device, n floats, aligned as a float; unchanged
 *  @param[out] d_out   device, n floats, all written; aligned as a float;
 *                      overlaps no other array
 *  @param[out] d_work  device, SCAN_WORKSPACE(n) bytes for any use, aligned to
 *                      256 bytes; their contents before and after are undefined
 *  @param      n       elements, also more than 2^32; with 0 there is no launch
 *  @param      kind    an enum scan_kind
 *  @return  cudaSuccess, or the first error of a launch
 *
 *  The absolute error of out[i] is at most 2 * (128 + log2 n) * 2^-24 times the
 *  sum of the magnitudes of its terms.  An infinity or a NaN in[i] affects
 *  out[i] (exclusive: out[i + 1]) and all elements behind it, and none before.
 *  The last bits may differ from call
 *  to call.
 *
 *  Uses the default stream, allocates nothing, copies nothing to the host, and
 *  may return before the kernels have finished.  Budget: 2 * ceil(n / 8)
 *  sectors of 32 bytes and at most about SCAN_WORKSPACE(n) / 16 more; no races.
 */
int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind);

#ifdef __cplusplus
}
#endif

#endif

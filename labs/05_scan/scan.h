/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 05, the contract: running sums of the floats in device memory. */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Is an element part of its own running sum? */
enum scan_kind {
    SCAN_INCLUSIVE, /**< out[i] = in[0] + ... + in[i] */
    SCAN_EXCLUSIVE  /**< out[i] = in[0] + ... + in[i - 1]; out[0] = 0 */
};

/** Bytes of the work space for n elements. */
#define SCAN_WORK(n) ((n) / 32 + 1024)

/** Running sums of a vector on the GPU.
 *
 *  @param[in]  d_in    device, n floats, any address a float may have;
 *                      unchanged
 *  @param[out] d_out   device, n floats, all written; overlaps nothing; any
 *                      address a float may have
 *  @param[out] d_work  device, SCAN_WORK(n) bytes to use as you like, of any
 *                      contents before and after; a multiple of 256
 *  @param      n       elements, more than 2^31 too; 0 launches nothing
 *  @param      kind    an enum scan_kind
 *  @return  cudaSuccess, or the first error of a launch
 *
 *  out[i] is within 2 * (128 + log2 n) * 2^-24 times the magnitudes' sum of
 *  the true one.  An infinity or a NaN shows from its place on, never before
 *  it.  The last bits may differ from call to call.
 *
 *  Works on the default stream, allocates nothing, brings nothing to the host,
 *  and may return before the kernels end.  Budget: 2 * ceil(n / 8) sectors of
 *  32 bytes and few more than SCAN_WORK(n) / 16 besides; no races.
 */
int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind);

#ifdef __cplusplus
}
#endif

#endif

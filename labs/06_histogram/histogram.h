/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 06, the contract: how often each byte value occurs in device memory. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HISTOGRAM_BINS = 256 }; /**< values that a byte may have */

/** Count bytes on the GPU: bins[v] = number of bytes with value v.
 *
 *  @param[in]  d_in    device, n bytes, any address; unchanged
 *  @param[out] d_bins  device, HISTOGRAM_BINS counts, all written, for n = 0
 *                      too; overlaps nothing; a multiple of 256
 *  @param      n       bytes, less than 2^32
 *  @return  cudaSuccess, or the first error
 *
 *  Exact, whatever the bytes: all different, all equal, or those of an image.
 *  Works on the default stream, allocates nothing, brings nothing to the host,
 *  and may return before the kernels end.  Budget: ceil(n / 32) sectors of 32
 *  bytes read once, 256 global atomics a block, no races.
 */
int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n);

#ifdef __cplusplus
}
#endif

#endif

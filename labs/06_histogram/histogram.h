/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 06, the contract: how often each byte value occurs in device memory. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HISTOGRAM_BINS = 256 }; /**< number of different byte values */

/** Count bytes on the GPU: bins[v] = number of bytes with value v.
 *
 *  @param[in]  d_in    device, n bytes at any address; unchanged
 *  @param[out] d_bins  device, HISTOGRAM_BINS counts, all written, also for
 *                      n = 0; aligned to 256 bytes; does not overlap d_in
 *  @param      n       bytes, less than 2^32
 *  @return  cudaSuccess, or the first error
 *
 *  The counts are exact for all data: all bytes different, all equal, or an
 *  image.  Uses the default stream, allocates nothing, copies nothing to the
 *  host, and may return before the kernels have finished.  Budget: ceil(n / 32)
 *  sectors of 32 bytes loaded once, 256 global atomics per block, no races.
 */
int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n);

#ifdef __cplusplus
}
#endif

#endif

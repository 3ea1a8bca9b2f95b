/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 14, the contract: batches of bytes are copied to the device, processed
 *  and copied back, while the host prepares the next batch. */
#ifndef STREAMS_H
#define STREAMS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { STREAMS_STAGES = 8 }; /**< kernels that process each batch */

/** Process a data set on the GPU, batch by batch.
 *
 *  For each batch b: the host converts its bytes to floats with load_batch();
 *  the floats are copied to the device; run_stages() launches STREAMS_STAGES
 *  kernels; the result is copied back.  Both functions are given in stage.h.
 *  load_batch() stands for decoding that only the host can do; call it exactly
 *  once per batch, from any thread of the host.
 *
 *  @param[in]  h_in     host, pageable and not registered, batches * size bytes;
 *                       unchanged
 *  @param[out] h_out    host, likewise, batches * size floats, all written when
 *                       the call returns; does not overlap h_in
 *  @param      batches  number of batches, at least 0; with 0 no array is
 *                       accessed or registered
 *  @param      size     elements of a batch, at least 0 and less than 2^30;
 *                       with 0 as with 0 batches
 *  @return  cudaSuccess, or the first error
 *
 *  Every step is exact.  Frees what it allocates, unregisters what it registers
 *  and destroys its streams.  Budget on the modeled timeline: the time of
 *  load_batch() for all batches; 5 calls that enqueue work for each batch.
 */
int streams(const unsigned char *h_in, float *h_out, int batches, int size);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 14, the contract: batches of bytes from the host through the device and
 *  back, while the host prepares the next one. */
#ifndef STREAMS_H
#define STREAMS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { STREAMS_STAGES = 8 }; /**< kernels that each batch goes through */

/** Take a data set batch by batch through the GPU.
 *
 *  For each batch b: the host makes floats of its bytes, by load_batch(); they
 *  are copied up; STREAMS_STAGES kernels follow, by run_stages(); the result
 *  is copied down.  Both are in stage.h, given: load_batch() stands for the
 *  decoding that only the host can do, and is to be called once a batch.
 *
 *  @param[in]  h_in     host, not pinned, batches * size bytes; unchanged
 *  @param[out] h_out    host, not pinned, batches * size floats, all written
 *                       when the call returns; overlaps nothing
 *  @param      batches  how many; 0: nothing is touched
 *  @param      size     elements of a batch; 0: nothing is touched; less
 *                       than 2^30
 *  @return  cudaSuccess, or the first error
 *
 *  Exact: every step is.  Frees what it allocates, and leaves no memory
 *  registered and no stream behind.  Budget on the modelled time line: as long
 *  as the host needs for load_batch() of all batches, and 5 calls that queue
 *  work for each batch.
 */
int streams(const unsigned char *h_in, float *h_out, int batches, int size);

#ifdef __cplusplus
}
#endif

#endif

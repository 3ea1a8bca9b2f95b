/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 03, the contract: transpose a matrix in device memory. */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Transpose on the GPU: out[c][r] = in[r][c].  Both matrices are row-major and
 *  dense: the row stride is the number of columns.
 *
 *  @param[in]  d_in   device, rows * cols floats, row r at d_in + r * cols;
 *                     aligned as a float; unchanged
 *  @param[out] d_out  device, cols * rows floats, all written; aligned as a
 *                     float; does not overlap d_in
 *  @param      rows   rows of the input, at least 0; with 0 there is no launch
 *  @param      cols   columns of the input, at least 0; with 0 there is no
 *                     launch; rows * cols may be more than 2^32
 *  @return  cudaSuccess, or the error of the launch
 *
 *  All bits are copied unchanged, also the payload of NaNs.  Uses the default
 *  stream, allocates nothing, copies nothing to the host, and may return before
 *  the kernel has finished.
 *  Budget: 2 * ceil(rows * cols / 8) sectors of 32 bytes when both sides are
 *  multiples of 8, no shared-memory bank conflicts, no races.
 */
int transpose(const float *d_in, float *d_out, int rows, int cols);

#ifdef __cplusplus
}
#endif

#endif

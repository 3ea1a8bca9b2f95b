/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 03, the contract: transpose a matrix that lies in device memory. */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Transpose on the GPU: out[c][r] = in[r][c], both row-major, not padded.
 *
 *  @param[in]  d_in   device, rows * cols floats, row r at d_in + r * cols;
 *                     any address a float may have; unchanged
 *  @param[out] d_out  device, cols * rows floats, all written; does not
 *                     overlap d_in; any address a float may have
 *  @param      rows   rows of the input, not negative; 0 launches nothing
 *  @param      cols   columns of the input, not negative; 0 launches nothing;
 *                     rows * cols may exceed 2^31
 *  @return  cudaSuccess, or the error of the launch
 *
 *  Moves bits, computes nothing: NaNs keep their payload.  Works on the
 *  default stream, allocates nothing, brings nothing to the host, and may
 *  return before the kernel ends.
 *  Budget: 2 * ceil(rows * cols / 8) sectors of 32 bytes when both sides are
 *  multiples of 8, no shared-memory bank conflicts, no races.
 */
int transpose(const float *d_in, float *d_out, int rows, int cols);

#ifdef __cplusplus
}
#endif

#endif

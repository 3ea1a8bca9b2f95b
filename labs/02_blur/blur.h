/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 02, the contract: box blur of an image in host memory. */
#ifndef BLUR_H
#define BLUR_H

#ifdef __cplusplus
extern "C" {
#endif

#define BLUR_RADIUS_MAX 32 /**< largest radius: a window of 65 by 65 pixels */

/** Blur an image on the GPU: each pixel becomes the mean of its window.
 *
 *  The window of pixel (x, y) is the square of (2 * radius + 1)^2 pixels around
 *  it, clipped to the image: at an edge it has fewer pixels, and the sum is
 *  divided by their number.  Each channel is blurred separately.
 *
 *  @param[in]  in        host, width * height * channels bytes: rows from top
 *                        to bottom, pixels from left to right, the channels of
 *                        a pixel together; unchanged
 *  @param[out] out       host, as many bytes in the same order, all written;
 *                        does not overlap `in`; undefined after an error
 *  @param      width     pixels per row; with 0 there is no launch
 *  @param      height    rows; with 0 there is no launch
 *  @param      channels  1 (gray), 3 (red green blue) or 4 (with alpha, which
 *                        is blurred like the others)
 *  @param      radius    pixels, 0 (a copy) to BLUR_RADIUS_MAX
 *  @return  cudaSuccess; cudaErrorInvalidValue for a negative width or height,
 *           and for channels or a radius outside these ranges, also of an empty
 *           image (nothing is written); or the error of the first CUDA call
 *           that failed
 *
 *  The mean is rounded to the nearest integer, halves up:
 *  (2 * sum + count) / (2 * count), in integers.  All device memory is freed,
 *  also after an error.  Budget: with a tile in shared memory a block loads
 *  each byte of `in` once; see grader/labs/02_blur.ini.
 */
int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius);

#ifdef __cplusplus
}
#endif

#endif

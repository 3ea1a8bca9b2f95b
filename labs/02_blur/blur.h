/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 02, the contract: box blur of an image that lies in host memory. */
#ifndef BLUR_H
#define BLUR_H

#ifdef __cplusplus
extern "C" {
#endif

#define BLUR_RADIUS_MAX 32 /**< largest radius: a window of 65 by 65 pixels */

/** Blur an image on the GPU: each pixel becomes the mean of its window.
 *
 *  The window of pixel (x, y) is the square of (2 * radius + 1)^2 pixels
 *  around it, clipped to the image: at an edge fewer pixels are summed, and
 *  the sum is divided by as many as there are.  Channels do not mix.
 *
 *  @param[in]  in        host, width * height * channels bytes: rows from the
 *                        top, pixels from the left, channels together;
 *                        unchanged
 *  @param[out] out       host, as many bytes in the same order, all written;
 *                        does not overlap `in`; not to be used after a failure
 *  @param      width     pixels a row; 0 launches nothing
 *  @param      height    rows; 0 launches nothing
 *  @param      channels  1 gray, 3 red green blue, 4 with alpha (blurred like
 *                        the others)
 *  @param      radius    pixels, 0 (a copy) to BLUR_RADIUS_MAX
 *  @return  cudaSuccess, cudaErrorInvalidValue for a parameter outside these
 *           ranges (nothing written), or the first error a CUDA call gave
 *
 *  The mean is rounded to the nearest integer, halves upward:
 *  (2 * sum + count) / (2 * count), exactly.  Device memory is freed whatever
 *  happens.  Budget: with a shared tile, each byte of `in` is read by a block
 *  once; see lab.ini.
 */
int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius);

#ifdef __cplusplus
}
#endif

#endif

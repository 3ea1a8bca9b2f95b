/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 10, the contract: an image of one channel, filtered. */
#ifndef CONVOLUTION_H
#define CONVOLUTION_H

#ifdef __cplusplus
extern "C" {
#endif

enum { CONVOLUTION_SIDE_MAX = 31 }; /**< rows or columns of a filter, at most */

/** An image and its filter.  Refused with cudaErrorInvalidValue: sizes below
 *  0, and sides of the filter that are not odd, below 1 or above
 *  CONVOLUTION_SIDE_MAX. */
struct convolution_shape {
    int width;   /**< pixels a row; 0 is allowed */
    int height;  /**< rows of the image; 0 is allowed */
    int columns; /**< of the filter, odd */
    int rows;    /**< of the filter, odd */
};

/** Filter an image on the GPU: each pixel becomes the sum of its window, each
 *  pixel of it weighted by the filter's number at the same place.
 *
 *      out[y][x] = sum over v, u of
 *          filter[v][u] * in[y + v - rows / 2][x + u - columns / 2]
 *
 *  Nothing is turned: the filter lies on the image as it is written.  Beyond
 *  the edge the image goes on with the nearest pixel of the edge.
 *
 *  @param      shape    host: the sizes
 *  @param[in]  d_in     device, height rows of width floats, finite
 *  @param[in]  filter   ordinary host memory, rows * columns floats; may be
 *                       changed once the call has returned
 *  @param[in]  factors  NULL, or host, rows + columns floats a[0] .. and
 *                       b[0] .., of which the filter is made: filter[v][u] =
 *                       a[v] * b[u], rounded; may be used in its place
 *  @param      d_work   device, width * height floats; what it holds before
 *                       and after means nothing
 *  @param[out] d_out    device, as large as d_in, all written; overlaps
 *                       neither d_in nor d_work
 *  @return  cudaSuccess, cudaErrorInvalidValue (nothing written), or the first
 *           error a CUDA call gave
 *
 *  With N = rows * columns a pixel may be off from the true sum by 2 * (16 +
 *  2 * sqrt(N)) * 2^-24 * the sum of |products|.  Works on the default stream,
 *  allocates nothing, brings nothing to the host, and may return before the
 *  kernels end; not for use from two streams at a time.  Device pointers are multiples of 256.  Budget: see
 *  lab.ini.
 */
int convolution(const struct convolution_shape *shape, const float *d_in,
                const float *filter, const float *factors, float *d_work,
                float *d_out);

#ifdef __cplusplus
}
#endif

#endif

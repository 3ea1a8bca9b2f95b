/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 10, the contract: filter an image of one channel. */
#ifndef CONVOLUTION_H
#define CONVOLUTION_H

#ifdef __cplusplus
#include "former_names.h"
extern "C" {
#endif

enum {
    CONVOLUTION_MAX_FILTER_SIDE = 31 /**< most rows or columns of a filter */
};

/** Sizes of an image and its filter.  Invalid (cudaErrorInvalidValue): a
 *  negative size of the image, and a side of the filter that is even, less than
 *  1 or more than CONVOLUTION_MAX_FILTER_SIDE, also where the image is empty. */
struct convolution_shape {
    int width;   /**< pixels per row; may be 0 */
    int height;  /**< rows of the image; may be 0 */
    int columns; /**< of the filter, odd */
    int rows;    /**< of the filter, odd */
};

/** Filter an image on the GPU: each pixel becomes the weighted sum of its
 *  window.
 *
 *      out[y][x] = sum over v, u of
 *          filter[v][u] * in[y + v - rows / 2][x + u - columns / 2]
 *
 *  This is a cross-correlation: the filter is not flipped.  Outside the image
 *  the nearest pixel of the edge is used (clamp).
 *
 *  @param      shape    host: the sizes
 *  @param[in]  d_in     device, height rows of width floats, all finite
 *  @param[in]  filter   host, pageable, rows * columns floats, all finite; the
 *                       caller may change them after the call has returned
 *  @param[in]  factors  NULL, or host, the factors of a separable filter: rows
 *                       floats a[v], then columns floats b[u], with
 *                       filter[v][u] = a[v] * b[u], rounded; may be used
 *                       instead of filter
 *  @param      d_work   device, width * height floats of workspace; contents
 *                       before and after are undefined; does not overlap d_in
 *  @param[out] d_out    device, as many floats as d_in, all written; overlaps
 *                       neither d_in nor d_work
 *  @return  cudaSuccess, cudaErrorInvalidValue (nothing is written), or the
 *           error of the first CUDA call that failed
 *
 *  With N = rows * columns the absolute error of a pixel is at most
 *  2 * (16 + 2 * sqrt(N)) * 2^-24 * the sum of |products|.  Uses the default
 *  stream, allocates nothing, copies nothing to the host, and may return before
 *  the kernels have finished; must not be used from two streams at the same
 *  time.  Device pointers are aligned to 256 bytes.  Budget: see
 *  grader/labs/10_convolution.ini.
 */
int convolution(const struct convolution_shape *shape, const float *d_in,
                const float *filter, const float *factors, float *d_work,
                float *d_out);

#ifdef __cplusplus
}
#endif

#endif

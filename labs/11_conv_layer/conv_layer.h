/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 11, the contract: the convolution layer of a network, forward and
 *  backward.
 *
 *  With x[n][c][h][w], w[k][c][r][s] and y[n][k][p][q], all dense, and x being
 *  0 outside its planes (zero padding):
 *
 *      y[n][k][p][q] = sum over c, r, s of
 *          w[k][c][r][s] * x[n][c][p * stride + r - pad][q * stride + s - pad]
 *
 *  This is a cross-correlation, as in all deep-learning frameworks.  y_grad is
 *  the gradient of the loss with respect to y.  From it the backward pass
 *  computes x_grad and w_grad, the gradients with respect to x and w.
 *
 *  For all functions: arrays and the workspace are in device memory, aligned to
 *  256 bytes, and do not overlap; an array has fewer than 2^31 floats, all
 *  finite; outputs are completely written.  The functions use the default stream, allocate nothing,
 *  do not synchronize, copy nothing to the host, may be captured into a graph,
 *  and may return before the kernels have finished.  Deterministic: the same
 *  inputs give the same bits.
 *
 *  The absolute error of an element that is the sum of N products is at most
 *
 *      2 * (16 + 2 * sqrt(N)) * 2^-24 * sum of |products|
 *
 *  For 3 x 3 filters with stride 1, forward and backward data, replace the
 *  input of each product by the largest magnitude in its plane: Winograd's
 *  algorithm needs this tolerance.
 */
#ifndef CONV_LAYER_H
#define CONV_LAYER_H

#include <stddef.h>

#ifdef __cplusplus
#include "former_names.h"
extern "C" {
#endif

enum { CONV_MAX_FILTER_SIDE = 16 }; /**< most rows or columns of a filter */

/** Sizes of a layer.  Invalid for all functions (cudaErrorInvalidValue): a size
 *  less than 1 (n: less than 0), a filter larger than CONV_MAX_FILTER_SIDE or
 *  than the padded plane, pad outside 0 .. the larger side of the filter; also
 *  where there is no image. */
struct conv_shape {
    int n;      /**< images; may be 0 */
    int c;      /**< channels of x */
    int h;      /**< rows of x */
    int w;      /**< columns of x */
    int k;      /**< filters, which are the channels of y */
    int r;      /**< rows of a filter */
    int s;      /**< columns of a filter */
    int stride; /**< pixels from one window to the next, in both dimensions */
    int pad;    /**< rows and columns of zeros on each side of x */
};

/** Rows of y: p. */
static inline int conv_output_rows(const struct conv_shape *shape)
{
    return (shape->h + 2 * shape->pad - shape->r) / shape->stride + 1;
}

/** Columns of y: q. */
static inline int conv_output_columns(const struct conv_shape *shape)
{
    return (shape->w + 2 * shape->pad - shape->s) / shape->stride + 1;
}

/** Bytes of d_work that each of the three functions may use: 0 for an invalid
 *  shape, and where none are needed.  At most 64 MiB, or 4 r s times the bytes of x, w and y together,
 *  whichever is more. */
size_t conv_workspace(const struct conv_shape *shape);

/** Forward: y from x and w.
 *
 *  @param      shape   host
 *  @param[in]  d_x     device, n c h w floats
 *  @param[in]  d_w     device, k c r s floats
 *  @param[out] d_y     device, n k p q floats
 *  @param      d_work  device, conv_workspace() bytes of workspace; contents
 *                      before and after are undefined; NULL if there are none
 *  @return  cudaSuccess or the first error
 */
int conv_forward(const struct conv_shape *shape, const float *d_x,
                 const float *d_w, float *d_y, void *d_work);

/** Backward data: x_grad from w and y_grad.
 *
 *  @param      shape     host
 *  @param[in]  d_w       device, k c r s floats
 *  @param[in]  d_y_grad  device, n k p q floats
 *  @param[out] d_x_grad  device, n c h w floats
 *  @param      d_work    as in conv_forward()
 *  @return  cudaSuccess or the first error
 */
int conv_backward_data(const struct conv_shape *shape, const float *d_w,
                       const float *d_y_grad, float *d_x_grad, void *d_work);

/** Backward filter: w_grad, summed over all images, from x and y_grad; all
 *  zeros if there are no images.
 *
 *  @param      shape     host
 *  @param[in]  d_x       device, n c h w floats
 *  @param[in]  d_y_grad  device, n k p q floats
 *  @param[out] d_w_grad  device, k c r s floats
 *  @param      d_work    as in conv_forward()
 *  @return  cudaSuccess or the first error
 */
int conv_backward_filter(const struct conv_shape *shape, const float *d_x,
                         const float *d_y_grad, float *d_w_grad, void *d_work);

#ifdef __cplusplus
}
#endif

#endif

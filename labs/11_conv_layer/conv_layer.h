/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 11, the contract: the convolution layer of a network, forward and
 *  backward.
 *
 *  With x[n][c][h][w], w[k][c][r][s] and y[n][k][p][q], all dense, and x being
 *  0 outside of its planes:
 *
 *      y[n][k][p][q] = sum over c, r, s of
 *          w[k][c][r][s] * x[n][c][p * stride + r - pad][q * stride + s - pad]
 *
 *  (cross-correlation, as in every framework).  A loss L is passed back
 *  through it by two more sums: from y_grad, the derivative of L by each
 *  element of y, those by x and by w.
 *
 *  For all functions here: arrays are in device memory, on multiples of 256
 *  bytes, of less than 2^31 finite floats each, and overlap nothing; outputs
 *  are all written; work is done on the default stream, without allocating,
 *  synchronising or bringing anything to the host, may be captured into a
 *  graph, and may end after the call.  The same inputs give the same bits.
 *
 *  An element that sums N products may be off from the true sum by
 *
 *      2 * (16 + 2 * sqrt(N)) * 2^-24 * sum of |products|
 *
 *  For filters of 3 by 3 at stride 1, forward and backward data, each
 *  product's input counts with the largest magnitude of its plane instead: so
 *  much Winograd's algorithm is granted.
 */
#ifndef CONV_LAYER_H
#define CONV_LAYER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CONV_SIDE_MAX = 16 }; /**< rows or columns of a filter, at most */

/** A layer's sizes.  Refused by all functions with cudaErrorInvalidValue:
 *  sizes less than 1 (n: less than 0), filters larger than CONV_SIDE_MAX or
 *  than a padded plane, pad beyond 0 .. the filter's larger side. */
struct conv_shape {
    int n;      /**< images; 0 is allowed */
    int c;      /**< channels of x */
    int h;      /**< rows of x */
    int w;      /**< columns of x */
    int k;      /**< filters, the channels of y */
    int r;      /**< rows of a filter */
    int s;      /**< columns of a filter */
    int stride; /**< pixels from one window to the next, both ways */
    int pad;    /**< rows and columns of zeros on each side of x */
};

/** Rows of y: p. */
static inline int conv_rows(const struct conv_shape *shape)
{
    return (shape->h + 2 * shape->pad - shape->r) / shape->stride + 1;
}

/** Columns of y: q. */
static inline int conv_columns(const struct conv_shape *shape)
{
    return (shape->w + 2 * shape->pad - shape->s) / shape->stride + 1;
}

/** Bytes of d_work that each of the three functions may use; 0 for a shape
 *  that they refuse.  No more than 64 MiB, or 4 r s times the bytes of x, w
 *  and y together, whichever is more. */
size_t conv_workspace(const struct conv_shape *shape);

/** y from x and w.
 *
 *  @param      shape   host
 *  @param[in]  d_x     device, n c h w floats
 *  @param[in]  d_w     device, k c r s floats
 *  @param[out] d_y     device, n k p q floats
 *  @param      d_work  device, conv_workspace() bytes; what it holds before
 *                      and after means nothing; NULL if there are none
 *  @return  cudaSuccess or the first error
 */
int conv_forward(const struct conv_shape *shape, const float *d_x,
                 const float *d_w, float *d_y, void *d_work);

/** x_grad from w and y_grad; parameters as above. */
int conv_backward_data(const struct conv_shape *shape, const float *d_w,
                       const float *d_y_grad, float *d_x_grad, void *d_work);

/** w_grad, summed over all images, from x and y_grad; zeros if there are none.
 */
int conv_backward_filter(const struct conv_shape *shape, const float *d_x,
                         const float *d_y_grad, float *d_w_grad, void *d_work);

#ifdef __cplusplus
}
#endif

#endif

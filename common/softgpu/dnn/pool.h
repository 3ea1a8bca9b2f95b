/* SPDX-License-Identifier: MIT */
/** @file
 *  Pooling of one plane of doubles, row by row: an inner loop goes along a row
 *  of the result for one place of the window, so that it has no decision in it.
 */
#ifndef SOFTGPU_DNN_POOL_H
#define SOFTGPU_DNN_POOL_H

#include <stdbool.h>
#include <stddef.h>

enum { DNN_POOLED = 3 /**< spatial dimensions */ };

/** What is done with a window. */
struct dnn_pool {
    bool maximum;    /**< else the average */
    bool padding;    /**< whether an average counts the padding */
    bool nan_passes; /**< whether a NaN is above all */
    int window[DNN_POOLED], pad[DNN_POOLED], stride[DNN_POOLED];
    int x[DNN_POOLED], y[DNN_POOLED]; /**< sizes of the planes, packed */
};

/** y = the windows of x; `row` is room for two rows of y. */
void dnn_pool_forward(const struct dnn_pool *p, const double *x, double *y,
                      double *row);
/** dx += what each window's dy gives its places. */
void dnn_pool_backward(const struct dnn_pool *p, const double *x,
                       const double *dy, double *dx, double *row);

#endif

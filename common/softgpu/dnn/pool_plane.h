/* SPDX-License-Identifier: MIT */
/** @file
 *  Pooling of one plane of doubles.  The inner loop runs along a row of the
 *  result for one position in the window, so that it has no branch. */
#ifndef SOFTGPU_DNN_POOL_H
#define SOFTGPU_DNN_POOL_H

#include <stdbool.h>
#include <stddef.h>

enum { DNN_POOL_DIMS = 3 /**< spatial dimensions */ };

/** Parameters of pooling. */
struct dnn_pool {
    bool maximum;       /**< maximum, else average */
    bool padding;       /**< the average includes the padding */
    bool propagate_nan; /**< a NaN is the maximum */
    int window[DNN_POOL_DIMS], pad[DNN_POOL_DIMS], stride[DNN_POOL_DIMS];
    int x[DNN_POOL_DIMS], y[DNN_POOL_DIMS]; /**< sizes of the packed planes */
};

/** Forward: y from x.
 *  @param row  buffer for two rows of y */
void dnn_pool_forward(const struct dnn_pool *p, const double *x, double *y,
                      double *row);
/** Backward: accumulates into dx.
 *  @param row  buffer for two rows of y */
void dnn_pool_backward(const struct dnn_pool *p, const double *x,
                       const double *dy, double *dx, double *row);

#endif

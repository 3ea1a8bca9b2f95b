/* SPDX-License-Identifier: MIT */
/** @file
 *  Computing a convolution in parts, each of whole images or whole filters.
 */
#ifndef SOFTGPU_DNN_CONVOLUTION_RUN_H
#define SOFTGPU_DNN_CONVOLUTION_RUN_H

#include "convolve.h"

/** Arguments of a call. */
struct convolution {
    struct softgpu_library_call call;
    struct dnn_conv_shape shape;
    struct dnn_argument x, w, y;
    double alpha, beta;
    void *workspace; /**< required and overwritten, as on a GPU */
    size_t workspace_bytes;
    unsigned varying_order; /**< 0: the terms are added in a fixed order; else
                                 another number in each call */
    bool fused, relu; /**< y = act(alpha conv + alpha2 z + bias) */
    double alpha2;
    struct dnn_argument z, bias; /**< z.ptr is NULL if alpha2 is 0 */
};

/** Number of independent pieces: images, or 16 filters each without groups. */
size_t dnn_convolution_pieces(const struct dnn_conv_shape *s);
/** Compute a part of a `struct convolution`. */
void dnn_convolution_run(const void *self, unsigned part);
/** Tell the checker which arrays the call reads and writes, and overwrite its
 *  workspace. */
void dnn_convolution_arrays(const void *self);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Shapes of convolutions: descriptors checked and combined, output sizes.
 */
#ifndef SOFTGPU_DNN_CONVOLUTION_SHAPE_H
#define SOFTGPU_DNN_CONVOLUTION_SHAPE_H

#include "dnn.h"

/** Direction; determines which of the three tensors is the result. */
enum dnn_direction {
    DNN_FORWARD,        /**< y */
    DNN_BACKWARD_DATA,  /**< the gradient with respect to x */
    DNN_BACKWARD_FILTER /**< the gradient with respect to w */
};

/** Compute the dimensions of y.
 *  @param      desc  the convolution
 *  @param      x     the input
 *  @param      w     the filters
 *  @param[out] size  x->dims sizes: N, K, then the spatial ones
 *  @return false if x and w do not match, or a descriptor is not set */
bool dnn_conv_output_size(const struct cudnnConvolutionStruct *desc,
                          const struct cudnnTensorStruct *x,
                          const struct cudnnTensorStruct *w, int *size);

/** A convolution without its data. */
struct dnn_conv_shape {
    enum dnn_direction direction; /**< which tensor is the result */
    struct cudnnConvolutionStruct desc; /**< padding, stride, dilation,
                                             groups */
    struct cudnnTensorStruct x, w, y; /**< or their gradients */
};

/** Check descriptors and combine them.
 *  @param[out] shape      written on success
 *  @param      direction  which tensor is the result
 *  @param      x          input, or its gradient
 *  @param      w          filters, or their gradient
 *  @param      desc       the convolution
 *  @param      y          output, or its gradient
 *  @return CUDNN_STATUS_BAD_PARAM if they do not match each other,
 *          CUDNN_STATUS_NOT_SUPPORTED for what is not implemented */
cudnnStatus_t dnn_conv_shape(struct dnn_conv_shape *shape,
                             enum dnn_direction direction,
                             const cudnnTensorDescriptor_t x,
                             const cudnnFilterDescriptor_t w,
                             const cudnnConvolutionDescriptor_t desc,
                             const cudnnTensorDescriptor_t y);

/** Multiply-accumulate operations of a direct convolution. */
double dnn_macs(const struct dnn_conv_shape *shape);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, bias and ReLU with one call each: all of y is stored, then
 *  loaded and stored twice more. */
#ifndef CUDNN_LAYER_UNFUSED_H
#define CUDNN_LAYER_UNFUSED_H

#include "forward_backward.h"

static int conv_bias_relu(struct cudnn_layer *l, const float *d_x,
                          const float *d_filter, const float *d_bias)
{
    int err = 0;

    TRY_CUDNN(cudnnConvolutionForward(
        l->dnn, &one, l->x, d_x, l->filter, d_filter, l->convolution,
        l->forward, l->d_work, l->workspace, &zero, l->conv, l->d_conv));
    TRY_CUDNN(cudnnAddTensor(l->dnn, &one, l->bias, d_bias, &one, l->conv,
                             l->d_conv));
    TRY_CUDNN(cudnnActivationForward(l->dnn, l->relu, &one, l->conv, l->d_conv,
                                     &zero, l->conv, l->d_conv));
    return err;
}

#endif

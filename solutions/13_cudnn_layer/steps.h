/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, bias and ReLU, a call each: all of y is written, then read and
 *  written twice more.
 */
#ifndef CUDNN_LAYER_STEPS_H
#define CUDNN_LAYER_STEPS_H

#include "head.h"

static int convolve(struct cudnn_layer *l, const float *d_x,
                    const float *d_filter, const float *d_bias)
{
    int err = 0;

    DNN(cudnnConvolutionForward(l->dnn, &one, l->x, d_x, l->filter, d_filter,
                                l->convolution, l->forward, l->d_work,
                                l->workspace, &zero, l->conv, l->d_conv));
    DNN(cudnnAddTensor(l->dnn, &one, l->bias, d_bias, &one, l->conv,
                       l->d_conv));
    DNN(cudnnActivationForward(l->dnn, l->relu, &one, l->conv, l->d_conv, &zero,
                               l->conv, l->d_conv));
    return err;
}

#endif

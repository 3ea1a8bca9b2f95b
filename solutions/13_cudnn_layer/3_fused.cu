/* SPDX-License-Identifier: MIT */
/** @file
 *  A layer with cuDNN, step 3: convolution, bias and ReLU in one call, so that
 *  y is stored once. */
#include "status.h"
#include "layer.h"
#include "select_algorithm.h"
#include "find_algorithms.h"
#include "forward_backward.h"

static int conv_bias_relu(struct cudnn_layer *l, const float *d_x,
                          const float *d_filter, const float *d_bias)
{
    int err = 0;

    TRY_CUDNN(cudnnConvolutionBiasActivationForward(
        l->dnn, &one, l->x, d_x, l->filter, d_filter, l->convolution,
        l->forward, l->d_work, l->workspace, &zero, l->conv, l->d_conv, l->bias,
        d_bias, l->relu, l->conv, l->d_conv));
    return err;
}

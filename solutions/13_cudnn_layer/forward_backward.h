/* SPDX-License-Identifier: MIT */
/** @file
 *  The layers after the convolution (pooling, dense layer, softmax and loss),
 *  and the whole backward pass.
 *
 *  cuBLAS is column-major: an m by n matrix with leading dimension m in its
 *  documentation is an array [n][m] here.  So the product [n][features] times
 *  [features][classes] is called with the factors swapped.
 */
#ifndef CUDNN_LAYER_FORWARD_BACKWARD_H
#define CUDNN_LAYER_FORWARD_BACKWARD_H

#include "layer.h"

/** relu(convolution + bias), into l->d_conv.
 *  @return  0, or a status */
static int conv_bias_relu(struct cudnn_layer *l, const float *d_x,
                          const float *d_filter, const float *d_bias);

int cudnn_layer_forward(struct cudnn_layer *l, const float *d_x,
                        const float *d_target, const float *d_parameters,
                        float *d_scores, float *d_loss)
{
    const float *d_dense = d_parameters + l->dense_offset;
    int err =
        conv_bias_relu(l, d_x, d_parameters, d_parameters + l->bias_offset);

    const float mean = -1.0f / (float)l->n;
    const int all = l->n * l->classes;

    TRY_CUDNN(cudnnPoolingForward(l->dnn, l->pooling, &one, l->conv, l->d_conv,
                                  &zero, l->pooled, l->d_pooled));
    TRY_CUBLAS(cublasSgemm(l->blas, CUBLAS_OP_N, CUBLAS_OP_N, l->classes, l->n,
                           l->features, &one, d_dense, l->classes, l->d_pooled,
                           l->features, &zero, l->d_logits, l->classes));
    TRY_CUDNN(cudnnAddTensor(l->dnn, &one, l->dense_bias,
                             d_parameters + l->dense_bias_offset, &one,
                             l->scores, l->d_logits));
    TRY_CUDNN(cudnnSoftmaxForward(l->dnn, CUDNN_SOFTMAX_LOG,
                                  CUDNN_SOFTMAX_MODE_INSTANCE, &one, l->scores,
                                  l->d_logits, &zero, l->scores, d_scores));
    /* the loss: the product of a row and a column */
    TRY_CUBLAS(cublasSgemm(l->blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, all, &mean,
                           d_target, 1, d_scores, all, &zero, d_loss, 1));
    return err;
}

/* From the scores to l->d_pooled_grad, and the gradients of the dense layer.
 * The gradient of the logits overwrites the logits. */
static int dense_backward(struct cudnn_layer *l, const float *d_target,
                          const float *d_dense, const float *d_scores,
                          float *d_gradients)
{
    const float mean = -1.0f / (float)l->n;
    int err = 0;

    TRY_CUDNN(cudnnSoftmaxBackward(l->dnn, CUDNN_SOFTMAX_LOG,
                                   CUDNN_SOFTMAX_MODE_INSTANCE, &mean,
                                   l->scores, d_scores, l->scores, d_target,
                                   &zero, l->scores, l->d_logits));
    TRY_CUBLAS(cublasSgemm(l->blas, CUBLAS_OP_N, CUBLAS_OP_T, l->classes,
                           l->features, l->n, &one, l->d_logits, l->classes,
                           l->d_pooled, l->features, &zero,
                           d_gradients + l->dense_offset, l->classes));
    TRY_CUDNN(cudnnConvolutionBackwardBias(l->dnn, &one, l->scores, l->d_logits,
                                           &zero, l->dense_bias,
                                           d_gradients + l->dense_bias_offset));
    TRY_CUBLAS(cublasSgemm(l->blas, CUBLAS_OP_T, CUBLAS_OP_N, l->features, l->n,
                           l->classes, &one, d_dense, l->classes, l->d_logits,
                           l->classes, &zero, l->d_pooled_grad, l->features));
    return err;
}

/* From l->d_pooled_grad to x_grad, and the gradients of the convolution.  The
 * output of the ReLU tells where its input was above 0. */
static int convolution_backward(struct cudnn_layer *l, const float *d_x,
                                const float *d_filter, float *d_gradients,
                                float *d_x_grad)
{
    int err = 0;

    TRY_CUDNN(cudnnPoolingBackward(
        l->dnn, l->pooling, &one, l->pooled, l->d_pooled, l->pooled,
        l->d_pooled_grad, l->conv, l->d_conv, &zero, l->conv, l->d_conv_grad));
    TRY_CUDNN(cudnnActivationBackward(
        l->dnn, l->relu, &one, l->conv, l->d_conv, l->conv, l->d_conv_grad,
        l->conv, l->d_conv, &zero, l->conv, l->d_conv_grad));
    TRY_CUDNN(cudnnConvolutionBackwardBias(l->dnn, &one, l->conv,
                                           l->d_conv_grad, &zero, l->bias,
                                           d_gradients + l->bias_offset));
    TRY_CUDNN(cudnnConvolutionBackwardFilter(
        l->dnn, &one, l->x, d_x, l->conv, l->d_conv_grad, l->convolution,
        l->weights, l->d_work, l->workspace, &zero, l->filter, d_gradients));
    TRY_CUDNN(cudnnConvolutionBackwardData(
        l->dnn, &one, l->filter, d_filter, l->conv, l->d_conv_grad,
        l->convolution, l->data, l->d_work, l->workspace, &zero, l->x,
        d_x_grad));
    return err;
}

int cudnn_layer_backward(struct cudnn_layer *l, const float *d_x,
                         const float *d_target, const float *d_parameters,
                         const float *d_scores, float *d_gradients,
                         float *d_x_grad)
{
    const int err = dense_backward(l, d_target, d_parameters + l->dense_offset,
                                   d_scores, d_gradients);

    return err ? err
               : convolution_backward(l, d_x, d_parameters, d_gradients,
                                      d_x_grad);
}

#endif

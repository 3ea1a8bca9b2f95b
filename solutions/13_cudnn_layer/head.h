/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Behind the convolution: pooling, dense layer, softmax and loss; and the
 *  whole way back.
 *
 *  cuBLAS thinks in columns: what it calls an m by n matrix with leading
 *  dimension m is here an array [n][m].  So the product [n][features] times
 *  [features][classes] is asked for with the factors in the other order.
 */
#ifndef CUDNN_LAYER_HEAD_H
#define CUDNN_LAYER_HEAD_H

#include "layer.h"

// END SOLUTION
/** relu(convolution + bias), into l->d_conv.  @return 0, or a status */
static int convolve(struct cudnn_layer *l, const float *d_x,
                    const float *d_filter, const float *d_bias);

int cudnn_layer_forward(struct cudnn_layer *l, const float *d_x,
                        const float *d_target, const float *d_parameters,
                        float *d_scores, float *d_loss)
{
    const float *d_dense = d_parameters + l->at_dense;
    int err = convolve(l, d_x, d_parameters, d_parameters + l->at_bias);

// BEGIN SOLUTION
    const float mean = -1.0f / (float)l->n;
    const int all = l->n * l->classes;

    DNN(cudnnPoolingForward(l->dnn, l->pooling, &one, l->conv, l->d_conv, &zero,
                            l->pooled, l->d_pooled));
    BLAS(cublasSgemm(l->blas, CUBLAS_OP_N, CUBLAS_OP_N, l->classes, l->n,
                     l->features, &one, d_dense, l->classes, l->d_pooled,
                     l->features, &zero, l->d_logits, l->classes));
    DNN(cudnnAddTensor(l->dnn, &one, l->dense_bias,
                       d_parameters + l->at_dense_bias, &one, l->scores,
                       l->d_logits));
    DNN(cudnnSoftmaxForward(l->dnn, CUDNN_SOFTMAX_LOG,
                            CUDNN_SOFTMAX_MODE_INSTANCE, &one, l->scores,
                            l->d_logits, &zero, l->scores, d_scores));
    /* the loss: a product of a row and a column */
    BLAS(cublasSgemm(l->blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, all, &mean,
                     d_target, 1, d_scores, all, &zero, d_loss, 1));
// HANDOUT
//     /* TODO 7: pool l->d_conv, multiply by the dense weights, add their bias,
//      * take the logarithm of the softmax, and the loss */
//     (void)d_dense;
//     err = CUDNN_STATUS_NOT_SUPPORTED;
// END SOLUTION
    return err;
}

// BEGIN SOLUTION
/* From the scores to l->d_pooled_grad, and the dense layer's gradients.  The
 * gradient of the logits takes the logits' place. */
static int dense_backward(struct cudnn_layer *l, const float *d_target,
                          const float *d_dense, const float *d_scores,
                          float *d_gradients)
{
    const float mean = -1.0f / (float)l->n;
    int err = 0;

    DNN(cudnnSoftmaxBackward(l->dnn, CUDNN_SOFTMAX_LOG,
                             CUDNN_SOFTMAX_MODE_INSTANCE, &mean, l->scores,
                             d_scores, l->scores, d_target, &zero, l->scores,
                             l->d_logits));
    BLAS(cublasSgemm(l->blas, CUBLAS_OP_N, CUBLAS_OP_T, l->classes, l->features,
                     l->n, &one, l->d_logits, l->classes, l->d_pooled,
                     l->features, &zero, d_gradients + l->at_dense,
                     l->classes));
    DNN(cudnnConvolutionBackwardBias(l->dnn, &one, l->scores, l->d_logits,
                                     &zero, l->dense_bias,
                                     d_gradients + l->at_dense_bias));
    BLAS(cublasSgemm(l->blas, CUBLAS_OP_T, CUBLAS_OP_N, l->features, l->n,
                     l->classes, &one, d_dense, l->classes, l->d_logits,
                     l->classes, &zero, l->d_pooled_grad, l->features));
    return err;
}

/* From l->d_pooled_grad to x, and the convolution's gradients.  ReLU's own
 * output tells where its input was above 0. */
static int convolution_backward(struct cudnn_layer *l, const float *d_x,
                                const float *d_filter, float *d_gradients,
                                float *d_x_grad)
{
    int err = 0;

    DNN(cudnnPoolingBackward(l->dnn, l->pooling, &one, l->pooled, l->d_pooled,
                             l->pooled, l->d_pooled_grad, l->conv, l->d_conv,
                             &zero, l->conv, l->d_conv_grad));
    DNN(cudnnActivationBackward(l->dnn, l->relu, &one, l->conv, l->d_conv,
                                l->conv, l->d_conv_grad, l->conv, l->d_conv,
                                &zero, l->conv, l->d_conv_grad));
    DNN(cudnnConvolutionBackwardBias(l->dnn, &one, l->conv, l->d_conv_grad,
                                     &zero, l->bias,
                                     d_gradients + l->at_bias));
    DNN(cudnnConvolutionBackwardFilter(l->dnn, &one, l->x, d_x, l->conv,
                                       l->d_conv_grad, l->convolution,
                                       l->weights, l->d_work, l->workspace,
                                       &zero, l->filter, d_gradients));
    DNN(cudnnConvolutionBackwardData(l->dnn, &one, l->filter, d_filter, l->conv,
                                     l->d_conv_grad, l->convolution, l->data,
                                     l->d_work, l->workspace, &zero, l->x,
                                     d_x_grad));
    return err;
}

// HANDOUT
// /* TODO 8: the way back, each step with the call whose name ends in
//  * Backward..., the dense layer with two products */
//
// END SOLUTION
int cudnn_layer_backward(struct cudnn_layer *l, const float *d_x,
                         const float *d_target, const float *d_parameters,
                         const float *d_scores, float *d_gradients,
                         float *d_x_grad)
{
// BEGIN SOLUTION
    const int err = dense_backward(l, d_target, d_parameters + l->at_dense,
                                   d_scores, d_gradients);

    return err ? err
               : convolution_backward(l, d_x, d_parameters, d_gradients,
                                      d_x_grad);
// HANDOUT
//     return CUDNN_STATUS_NOT_SUPPORTED;
// END SOLUTION
}

// BEGIN SOLUTION
#endif
// END SOLUTION

/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 13, the contract: one step of a small network, forward and backward,
 *  by calls of cuDNN and cuBLAS alone.
 *
 *      x -> convolution + bias -> ReLU -> 2x2 max-pool -> dense + bias
 *        -> logarithm of softmax -> mean cross-entropy
 */
#ifndef CUDNN_LAYER_H
#define CUDNN_LAYER_H

#include <stddef.h>

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes, all at least 1 but pad, which is at least 0. */
struct cudnn_layer_shape {
    int n;       /**< images */
    int c;       /**< channels of an image */
    int h;       /**< rows of an image */
    int w;       /**< columns of an image */
    int k;       /**< filters */
    int r;       /**< rows of a filter */
    int s;       /**< columns of a filter */
    int pad;     /**< rows and columns of zeros on each side */
    int classes; /**< that the dense layer tells apart */
};

/* Of the convolution, stride 1: p = h + 2 pad - r + 1 rows, q = w + 2 pad - s
 * + 1 columns.  Pooling halves both, rounding down, and leaves
 * features = k (p / 2) (q / 2) numbers an image.
 *
 * Parameters are one array, and gradients another one like it:
 *     filter[k][c][r][s], bias[k], dense[features][classes],
 *     dense_bias[classes]. */

/** What a step needs besides its arrays: handles, descriptors, algorithms,
 *  memory.  You define it. */
struct cudnn_layer;

/** Make all that does not change from step to step.
 *
 *  @param[out] layer   NULL when it fails
 *  @param[in]  shape   read now, not kept
 *  @param      limit   bytes that the workspace of the convolutions may have
 *  @param      stream  all later work is queued on it; not NULL
 *  @return  0, or any other value when a size is illegal, nothing is left to
 *           pool, memory is short, or no algorithm fits within the limit
 *
 *  May allocate device memory; cudnn_layer_destroy() frees it. */
int cudnn_layer_create(struct cudnn_layer **layer,
                       const struct cudnn_layer_shape *shape, size_t limit,
                       cudaStream_t stream);

/** Bytes of its workspace: enough for the algorithms chosen, at most limit. */
size_t cudnn_layer_workspace(const struct cudnn_layer *layer);

/** Forward.
 *
 *  @param[in]  d_x           device, [n][c][h][w]
 *  @param[in]  d_target      device, [n][classes], each row sums to 1
 *  @param[in]  d_parameters  device
 *  @param[out] d_scores      device, [n][classes]: logarithms of probabilities
 *  @param[out] d_loss        device, 1: mean of -sum(target * score) of a row
 *  @return  0, or what a call returned
 *
 *  Cross-correlation, in float throughout (no TF32), the same bits each time.
 *  Queues its work and returns; allocates nothing, launches no kernel of its
 *  own. */
int cudnn_layer_forward(struct cudnn_layer *layer, const float *d_x,
                        const float *d_target, const float *d_parameters,
                        float *d_scores, float *d_loss);

/** Backward, after cudnn_layer_forward() with the same arrays.
 *
 *  @param[in]  d_scores     device, as forward left them
 *  @param[out] d_gradients  device, of the loss by the parameters; overwritten
 *  @param[out] d_x_grad     device, of the loss by x; overwritten
 *  @return  0, or what a call returned */
int cudnn_layer_backward(struct cudnn_layer *layer, const float *d_x,
                         const float *d_target, const float *d_parameters,
                         const float *d_scores, float *d_gradients,
                         float *d_x_grad);

/** Free all of it; NULL is well.  What is queued has ended before. */
void cudnn_layer_destroy(struct cudnn_layer *layer);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 13, the contract: one step of a small network, forward and backward,
 *  with calls of cuDNN and cuBLAS only.
 *
 *      x -> convolution + bias -> ReLU -> 2x2 max pooling -> dense + bias
 *        -> log-softmax -> mean cross-entropy
 */
#ifndef CUDNN_LAYER_H
#define CUDNN_LAYER_H

#include <stddef.h>

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes, all at least 1, except pad, which is at least 0. */
struct cudnn_layer_shape {
    int n;       /**< images */
    int c;       /**< channels of an image */
    int h;       /**< rows of an image */
    int w;       /**< columns of an image */
    int k;       /**< filters */
    int r;       /**< rows of a filter */
    int s;       /**< columns of a filter */
    int pad;     /**< rows and columns of zeros on each side */
    int classes; /**< outputs of the dense layer */
};

/* The convolution has stride 1 and an output of p = h + 2 pad - r + 1 rows and
 * q = w + 2 pad - s + 1 columns.  Pooling halves both, rounded down, so an
 * image has features = k (p / 2) (q / 2) inputs of the dense layer.
 *
 * The parameters are one array, and the gradients another one with the same
 * layout:
 *     filter[k][c][r][s], bias[k], dense[features][classes],
 *     dense_bias[classes]. */

/** Everything that a step needs besides its arrays: handles, descriptors,
 *  algorithms, memory.  Opaque: you define it. */
struct cudnn_layer;

/** Create everything that does not change from step to step.
 *
 *  @param[out] layer   NULL on failure
 *  @param[in]  shape   read during the call only
 *  @param      limit   most bytes of workspace for the convolutions: an
 *                      algorithm that needs exactly that many fits
 *  @param      stream  all later work is enqueued on it; not NULL
 *  @return  0, or any other value if a size is invalid, the pooling has no
 *           output, memory is exhausted, or no algorithm fits within the limit
 *
 *  May allocate device memory; cudnn_layer_destroy() frees it. */
int cudnn_layer_create(struct cudnn_layer **layer,
                       const struct cudnn_layer_shape *shape, size_t limit,
                       cudaStream_t stream);

/** Bytes of its workspace: enough for the algorithms chosen, at most limit. */
size_t cudnn_layer_workspace(const struct cudnn_layer *layer);

/** The forward pass.
 *
 *  @param[in]  layer         from cudnn_layer_create()
 *  @param[in]  d_x           device, [n][c][h][w]
 *  @param[in]  d_target      device, [n][classes], each row sums to 1
 *  @param[in]  d_parameters  device, the layout above
 *  @param[out] d_scores      device, [n][classes]: log-probabilities
 *  @param[out] d_loss        device, 1 float: the mean over the rows of
 *                            -sum(target * score)
 *  @return  0, or the status of the first call that failed
 *
 *  Cross-correlation, in float throughout (math mode CUDNN_FMA_MATH, which
 *  excludes TF32), deterministic.  Inputs and parameters are finite: what a NaN
 *  becomes in ReLU and pooling depends on CUDNN_PROPAGATE_NAN, and on whether
 *  the call is fused, and is not tested.  Enqueues its work and returns;
 *  allocates nothing, launches no kernel of its own. */
int cudnn_layer_forward(struct cudnn_layer *layer, const float *d_x,
                        const float *d_target, const float *d_parameters,
                        float *d_scores, float *d_loss);

/** The backward pass, after cudnn_layer_forward() with the same arrays.
 *
 *  @param[in]  layer         as in forward
 *  @param[in]  d_x           as in forward
 *  @param[in]  d_target      as in forward
 *  @param[in]  d_parameters  as in forward
 *  @param[in]  d_scores      device, written by forward
 *  @param[out] d_gradients   device, gradient of the loss with respect to the
 *                            parameters; overwritten
 *  @param[out] d_x_grad      device, gradient of the loss with respect to x;
 *                            overwritten
 *  @return  0, or the status of the first call that failed */
int cudnn_layer_backward(struct cudnn_layer *layer, const float *d_x,
                         const float *d_target, const float *d_parameters,
                         const float *d_scores, float *d_gradients,
                         float *d_x_grad);

/** Free everything; NULL is allowed.  All enqueued work must be complete. */
void cudnn_layer_destroy(struct cudnn_layer *layer);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12, the contract: the layers of a network besides convolutions and
 *  matrix products, forward and backward.
 *
 *  For all functions: arrays are float32 in device memory and aligned to 16
 *  bytes (labels may have any address); images are NCHW; a dense activation
 *  [rows][features] has the shape {rows, features, 1, 1}; each array has fewer
 *  than 2^31 elements.  *In place* names two arrays that may be the same.
 *  Arrays overlap in no other way, and inputs are unchanged.  x_grad is the
 *  gradient of the loss with respect to x.
 *
 *  The functions use the default stream, allocate nothing, copy nothing to the
 *  host, do not synchronize, and may be captured into a graph.  They return
 *  cudaSuccess, the error of a launch, or, before anything is written,
 *  cudaErrorInvalidValue for invalid sizes: negative, or too many elements.
 *
 *  Deterministic: the same inputs give the same bits.  The absolute error of a
 *  sum of m numbers is at most
 *  2 * (128 + log2 m) * 2^-24 * (sum of their magnitudes).
 *  NaNs propagate unless the description of a function says otherwise.
 */
#ifndef LAYERS_H
#define LAYERS_H

#ifdef __cplusplus
#include "former_names.h"
extern "C" {
#endif

/** Shape of x[n][c][h][w]. */
struct layer_shape {
    int n; /**< images, or rows */
    int c; /**< channels, or features of a row */
    int h; /**< height; 1 for rows */
    int w; /**< width; 1 for rows */
};

/** Shape of a pooling: from x[n][c][h][w] to y[n][c][p][q], where
 *  p = POOL_OUTPUT_SIZE(h, size, stride, pad), and q likewise from w. */
struct pool_shape {
    int n;      /**< images */
    int c;      /**< channels */
    int h;      /**< height of x, at least 1 */
    int w;      /**< width of x, at least 1 */
    int size;   /**< rows and columns of the square window, 1 to 16 */
    int stride; /**< from window to window, at least 1 */
    int pad;    /**< rows and columns of padding, at most size / 2 */
};

/** Number of windows in a dimension with `in` elements; only whole windows
 *  count, with the padding. */
#define POOL_OUTPUT_SIZE(in, size, stride, pad) \
    (((in) + 2 * (pad) - (size)) / (stride) + 1)

/** Parameters of dropout. */
struct dropout {
    float p;                 /**< probability to drop, 0 <= p < 1 */
    unsigned long long seed; /**< a different one for each layer */
    /** device, 1 int: the training step, so that a replayed graph gets new
     *  random numbers; NULL: step 0 */
    const int *d_step;
};

/** Parameters and statistics of batch normalization; device arrays of c
 *  floats. */
struct batchnorm {
    float epsilon;         /**< added to the variance, above 0 */
    float momentum;        /**< weight of the batch in the running statistics */
    int relu;              /**< 1: fused with a ReLU */
    const float *d_gamma;  /**< scale */
    const float *d_beta;   /**< shift */
    float *d_running_mean; /**< running mean over the batches */
    float *d_running_var;  /**< running unbiased variance */
    float *d_mean;         /**< mean of this batch, saved for backward */
    float *d_inv_std;      /**< 1 / sqrt(variance + epsilon), likewise */
    float *d_gamma_grad;   /**< written by backward */
    float *d_beta_grad;    /**< written by backward */
};

/** y = x + bias[c].  Exact.  In place: y and x.
 *  @param[in]  shape   of x and y
 *  @param[in]  d_x     x
 *  @param[in]  d_bias  c floats
 *  @param[out] d_y     y */
int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y);

/** bias_grad[c] = sum of y_grad over images, rows and columns; 0 if empty.
 *  @param[in]  shape        of y
 *  @param[in]  d_y_grad     gradient of y
 *  @param[out] d_bias_grad  c floats, all written */
int bias_backward(const struct layer_shape *shape, const float *d_y_grad,
                  float *d_bias_grad);

/** y = 0 for x < 0, else x (also for NaN).  Exact.  In place: y and x.
 *  @param[in]  d_x  n floats
 *  @param[out] d_y  n floats
 *  @param      n    elements */
int relu_forward(const float *d_x, float *d_y, int n);

/** x_grad = 0 for y <= 0, else y_grad (also where y is NaN).  In place: x_grad
 *  and y_grad.
 *  @param[in]  d_y       n floats, the output of relu_forward
 *  @param[in]  d_y_grad  gradient of y
 *  @param[out] d_x_grad  gradient of x
 *  @param      n         elements */
int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n);

/** y = ReLU(x + bias[c]), fused.  In place: y and x.
 *  Budget: 1 launch; 2 sectors for 8 elements.
 *  @param[in]  shape   of x and y
 *  @param[in]  d_x     x
 *  @param[in]  d_bias  c floats
 *  @param[out] d_y     y */
int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y);

/** The backward pass of bias_relu_forward, fused.  In place: x_grad and y_grad.
 *  Budget: 1 launch; 3 sectors for 8 elements.
 *  @param[in]  shape        of y
 *  @param[in]  d_y          the output of bias_relu_forward
 *  @param[in]  d_y_grad     gradient of y
 *  @param[out] d_x_grad     gradient of x
 *  @param[out] d_bias_grad  c floats, all written */
int bias_relu_backward(const struct layer_shape *shape, const float *d_y,
                       const float *d_y_grad, float *d_x_grad,
                       float *d_bias_grad);

/** Maximum of each window, and its position.  Padding is ignored.  Of equal
 *  elements the first one in row-major order is the maximum; a NaN is larger
 *  than all numbers, and the first of several NaNs is the maximum.
 *  @param[in]  shape     of x and y
 *  @param[in]  d_x       x[n][c][h][w]
 *  @param[out] d_y       y[n][c][p][q]
 *  @param[out] d_argmax  bytes [n][c][p][q]: row * size + column of the maximum
 *                        in its window, padding included */
int maxpool_forward(const struct pool_shape *shape, const float *d_x,
                    float *d_y, unsigned char *d_argmax);

/** x_grad = sum of the gradients of all windows whose maximum is this x.
 *  @param[in]  shape     of x and y
 *  @param[in]  d_argmax  the output of maxpool_forward
 *  @param[in]  d_y_grad  gradient of y
 *  @param[out] d_x_grad  gradient of x, all written */
int maxpool_backward(const struct pool_shape *shape,
                     const unsigned char *d_argmax, const float *d_y_grad,
                     float *d_x_grad);

/** Softmax: y[row][j] = exp(x[row][j]) / sum of exp(x[row][...]), without
 *  overflow for any finite x; what a row with an infinity gives is not tested.
 *  In place: y and x.  The relative error is at most
 *  2 * (160 + |x - max|) * 2^-24.
 *  @param[in]  shape  n rows of c classes; invalid unless h = w = 1
 *  @param[in]  d_x    x
 *  @param[out] d_y    y; each row sums to 1 */
int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y);

/** Softmax, cross-entropy and the gradient, fused.  The loss of a row is
 *  -log(softmax of its label), and the loss of the batch is the mean over the
 *  rows.  In place: x_grad and x.  Budget: 1 launch; 2 sectors for 8 elements.
 *  @param[in]  shape     n rows of c classes; invalid unless h = w = 1
 *  @param[in]  d_x       x, the logits
 *  @param[in]  d_labels  n bytes; a label that is not a class makes the loss
 *                        and the gradient of its row NaN, without an
 *                        out-of-bounds access
 *  @param[out] d_losses  n + 1 floats: the loss of each row, then their mean
 *                        (0 if there are no rows)
 *  @param[out] d_x_grad  (softmax - 1 at the label) / n */
int softmax_cross_entropy(const struct layer_shape *shape, const float *d_x,
                          const unsigned char *d_labels, float *d_losses,
                          float *d_x_grad);

/** Dropout: y = 0 for a dropped element, for any x; else x * (1 / (1 - p)).
 *
 *  Element i is dropped if word i % 4 of Philox4x32-10 is less than p * 2^32,
 *  with counter {i / 4, 0, step, 0} and key {low, high half of the seed}
 *  (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
 *  A p outside 0 <= p < 1 is invalid.  In place: y and x.
 *  @param[in]  config  probability, seed and step
 *  @param[in]  d_x     n floats
 *  @param[out] d_y     n floats
 *  @param      n       elements */
int dropout_forward(const struct dropout *config, const float *d_x, float *d_y,
                    int n);

/** The backward pass of dropout: the same elements are dropped, and the others
 *  have the same factor.  Nothing is saved by forward.  In place: x_grad and
 *  y_grad.
 *  @param[in]  config    as in forward
 *  @param[in]  d_y_grad  gradient of y
 *  @param[out] d_x_grad  gradient of x
 *  @param      n         elements */
int dropout_backward(const struct dropout *config, const float *d_y_grad,
                     float *d_x_grad, int n);

/** Batch normalization in training: y = gamma * (x - mean) * inv_std + beta,
 *  with mean and (biased) variance of each channel over images, rows and
 *  columns.
 *
 *  Writes d_mean and d_inv_std.  Updates the running statistics:
 *  running = (1 - momentum) * running + momentum * batch, where the variance of
 *  the batch is divided by m - 1, not m (for m = 1 it is 0).  The variance is
 *  as precise as one computed from deviations from the mean, for example for
 *  x = 1000 +- 1.  An empty batch writes nothing.
 *  Budget: 1 launch.
 *  @param[in]  shape  of x and y
 *  @param[in]  norm   parameters and statistics
 *  @param[in]  d_x    x
 *  @param[out] d_y    y */
int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y);

/** Batch normalization in inference: as above, with the running statistics,
 *  which do not change.  d_mean and d_inv_std are not accessed.  In place: y
 *  and x.
 *  @param[in]  shape  of x and y
 *  @param[in]  norm   parameters and statistics
 *  @param[in]  d_x    x
 *  @param[out] d_y    y */
int batchnorm_inference(const struct layer_shape *shape,
                        const struct batchnorm *norm, const float *d_x,
                        float *d_y);

/** The backward pass of batchnorm_forward, through the mean and the variance,
 *  too.  Also writes all of d_gamma_grad and d_beta_grad.  With norm->relu,
 *  y_grad is set to 0 where y, which is computed again, is 0 or less.  In
 *  place: x_grad and y_grad.
 *  Budget: 1 launch.
 *  @param[in]  shape     of x and y
 *  @param[in]  norm      d_mean and d_inv_std as saved by forward
 *  @param[in]  d_x       x
 *  @param[in]  d_y_grad  gradient of y
 *  @param[out] d_x_grad  gradient of x */
int batchnorm_backward(const struct layer_shape *shape,
                       const struct batchnorm *norm, const float *d_x,
                       const float *d_y_grad, float *d_x_grad);

#ifdef __cplusplus
}
#endif

#endif

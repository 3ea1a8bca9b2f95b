/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12, the contract: what a network has beside convolutions and matrix
 *  products, forward and backward.
 *
 *  For all functions: arrays are float32 in device memory and begin at a
 *  multiple of 16 bytes (labels anywhere); images are NCHW, a dense activation
 *  [rows][features] is the shape {rows, features, 1, 1}; each array has fewer
 *  than 2^31 elements.  An output may be the input of the same size that its
 *  text names *in place*; arrays overlap in no other way, and inputs are
 *  unchanged.  A gradient is that of one number, the loss.
 *
 *  Each works on the default stream, allocates nothing, brings nothing to the
 *  host, waits for nothing, and may be captured into a graph.  Returned is cudaSuccess, the error of a
 *  launch, or, before anything is written, cudaErrorInvalidValue for sizes
 *  that make no sense: below 0, or too many elements.
 *
 *  The same inputs give the same bits.  A sum of m numbers is within
 *  2 * (128 + log2 m) * 2^-24 * (sum of their magnitudes) of the true one.
 *  NaNs go through, but where a text says otherwise.
 */
#ifndef LAYERS_H
#define LAYERS_H

#ifdef __cplusplus
extern "C" {
#endif

/** x[n][c][h][w]. */
struct layer_shape {
    int n; /**< images, or rows */
    int c; /**< channels, or features of a row */
    int h; /**< height; 1 for rows */
    int w; /**< width; 1 for rows */
};

/** y[n][c][p][q] of x[n][c][h][w]; p = POOL_OUT(h, size, stride, pad). */
struct pool_shape {
    int n;      /**< images */
    int c;      /**< channels */
    int h;      /**< height before, at least 1 */
    int w;      /**< width before, at least 1 */
    int size;   /**< of the square window, 1 to 16 */
    int stride; /**< from window to window, at least 1 */
    int pad;    /**< rows and columns beyond each edge, at most size / 2 */
};

/** Windows along an edge of `in` elements; a last one must fit whole, with
 *  the padding. */
#define POOL_OUT(in, size, stride, pad) \
    (((in) + 2 * (pad) - (size)) / (stride) + 1)

/** What dropout does. */
struct dropout {
    float p;                 /**< share to drop, 0 <= p < 1 */
    unsigned long long seed; /**< differs from layer to layer */
    /** device, 1 int: the training step, so that a replayed graph draws anew;
     *  NULL: step 0 */
    const int *d_step;
};

/** What batch-norm has beside its input; arrays of c floats on the device. */
struct batchnorm {
    float epsilon;         /**< added to the variance, above 0 */
    float momentum;        /**< share of the new in the running averages */
    int relu;              /**< 1: followed by a ReLU */
    const float *d_gamma;  /**< factor */
    const float *d_beta;   /**< summand */
    float *d_running_mean; /**< average over the batches */
    float *d_running_var;  /**< likewise, of the unbiased variance */
    float *d_mean;         /**< this batch's, from forward to backward */
    float *d_inv_std;      /**< 1 / sqrt(variance + epsilon), likewise */
    float *d_gamma_grad;   /**< what the backward writes */
    float *d_beta_grad;    /**< likewise */
};

/** y = x + bias[c].  Exact.  In place: y and x.
 *  @param[in]  shape   of x and y
 *  @param[in]  d_x     x
 *  @param[in]  d_bias  c floats
 *  @param[out] d_y     y */
int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y);

/** bias_grad[c] = the sum of y_grad over images and places; 0 of none.
 *  @param[in]  shape        of y
 *  @param[in]  d_y_grad     gradient of y
 *  @param[out] d_bias_grad  c floats, all written */
int bias_backward(const struct layer_shape *shape, const float *d_y_grad,
                  float *d_bias_grad);

/** y = 0 for x < 0, else x (NaN too).  Exact.  In place: y and x.
 *  @param[in]  d_x  n floats
 *  @param[out] d_y  n floats
 *  @param      n    elements */
int relu_forward(const float *d_x, float *d_y, int n);

/** x_grad = 0 for y <= 0, else y_grad (where y is NaN too).  In place: x_grad
 *  and y_grad.
 *  @param[in]  d_y       n floats, what relu_forward wrote
 *  @param[in]  d_y_grad  gradient of y
 *  @param[out] d_x_grad  gradient of x
 *  @param      n         elements */
int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n);

/** y = ReLU(x + bias[c]): both at once.  In place: y and x.
 *  Budget: 1 launch; 2 sectors for 8 elements.
 *  @param[in]  shape   of x and y
 *  @param[in]  d_x     x
 *  @param[in]  d_bias  c floats
 *  @param[out] d_y     y */
int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y);

/** The backward of both at once.  In place: x_grad and y_grad.
 *  Budget: 1 launch; 3 sectors for 8 elements.
 *  @param[in]  shape        of y
 *  @param[in]  d_y          what bias_relu_forward wrote
 *  @param[in]  d_y_grad     gradient of y
 *  @param[out] d_x_grad     gradient of x
 *  @param[out] d_bias_grad  c floats, all written */
int bias_relu_backward(const struct layer_shape *shape, const float *d_y,
                       const float *d_y_grad, float *d_x_grad,
                       float *d_bias_grad);

/** The largest of each window, and which it was.  Places beyond the edges do
 *  not count.  Of equal ones the first wins, row by row; a NaN wins over all
 *  numbers.
 *  @param[in]  shape     of both sides
 *  @param[in]  d_x       x[n][c][h][w]
 *  @param[out] d_y       y[n][c][p][q]
 *  @param[out] d_winner  bytes [n][c][p][q]: row * size + column, counted in
 *                        the window, padding included */
int maxpool_forward(const struct pool_shape *shape, const float *d_x,
                    float *d_y, unsigned char *d_winner);

/** Each x gets the sum of the gradients of the windows that it won.
 *  @param[in]  shape     of both sides
 *  @param[in]  d_winner  what maxpool_forward wrote
 *  @param[in]  d_y_grad  gradient of y
 *  @param[out] d_x_grad  gradient of x, all written */
int maxpool_backward(const struct pool_shape *shape,
                     const unsigned char *d_winner, const float *d_y_grad,
                     float *d_x_grad);

/** y[row][j] = exp(x[row][j]) / sum of exp(x[row][...]), without overflow for
 *  any finite x.  In place: y and x.  A relative error of
 *  2 * (160 + |x - largest|) * 2^-24 is granted.
 *  @param[in]  shape  n rows of c classes; h = w = 1, else refused
 *  @param[in]  d_x    x
 *  @param[out] d_y    y, rows that sum up to 1 */
int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y);

/** Cross-entropy behind a softmax, and its gradient, at once: a row's loss is
 *  -log of what softmax gives its label, the loss the mean over the rows.
 *  In place: x_grad and x.  Budget: 1 launch; 2 sectors for 8 elements.
 *  @param[in]  shape     n rows of c classes; h = w = 1, else refused
 *  @param[in]  d_x       x
 *  @param[in]  d_labels  n bytes; a label that is no class makes its row's
 *                        loss and gradient NaN, and reads nothing
 *  @param[out] d_losses  n + 1 floats: each row's, then their mean (0 of none)
 *  @param[out] d_x_grad  (softmax - 1 at the label) / n */
int softmax_loss(const struct layer_shape *shape, const float *d_x,
                 const unsigned char *d_labels, float *d_losses,
                 float *d_x_grad);

/** y = 0 where dropped, whatever x is, else x * (1 / (1 - p)).
 *
 *  Element i is dropped when word i % 4 of Philox4x32-10 is below p * 2^32,
 *  with counter {i / 4, 0, step, 0} and key {low, high half of the seed}
 *  (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
 *  p outside of 0 <= p < 1 is refused.  In place: y and x.
 *  @param[in]  how  see there
 *  @param[in]  d_x  n floats
 *  @param[out] d_y  n floats
 *  @param      n    elements */
int dropout_forward(const struct dropout *how, const float *d_x, float *d_y,
                    int n);

/** The same elements dropped and the same factor, of the gradient: nothing
 *  was stored.  In place: x_grad and y_grad.
 *  @param[in]  how       as in the forward
 *  @param[in]  d_y_grad  gradient of y
 *  @param[out] d_x_grad  gradient of x
 *  @param      n         elements */
int dropout_backward(const struct dropout *how, const float *d_y_grad,
                     float *d_x_grad, int n);

/** Training: with mean and variance (biased) over images and places of each
 *  channel, y = gamma * (x - mean) * inv_std + beta.
 *
 *  Writes d_mean and d_inv_std.  running = (1 - momentum) * running + momentum
 *  * batch's; there the variance is divided by m - 1, not m (for m = 1: 0).
 *  The variance is as good as deviations from the mean make it: x = 1000 +- 1
 *  is no difficulty.  Without elements nothing is written.
 *  Budget: 1 launch.
 *  @param[in]  shape  of x and y
 *  @param[in]  norm   see there
 *  @param[in]  d_x    x
 *  @param[out] d_y    y */
int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y);

/** Afterwards: the same with the running averages, which stay as they are;
 *  d_mean and d_inv_std are not touched.  In place: y and x.
 *  @param[in]  shape  of x and y
 *  @param[in]  norm   see there
 *  @param[in]  d_x    x
 *  @param[out] d_y    y */
int batchnorm_inference(const struct layer_shape *shape,
                        const struct batchnorm *norm, const float *d_x,
                        float *d_y);

/** The backward of batchnorm_forward, through mean and variance too; writes
 *  all of d_gamma_grad and d_beta_grad as well.  With norm->relu, y_grad counts
 *  only where y, computed anew, is not 0 or less.  In place: x_grad and y_grad.
 *  Budget: 1 launch.
 *  @param[in]  shape     of x and y
 *  @param[in]  norm      d_mean and d_inv_std as the forward left them
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

/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 12, for suite_mistakes(); each function's context is
 *  the struct before it.
 */
#ifndef GRADER_SUITE_12_MISTAKES_H
#define GRADER_SUITE_12_MISTAKES_H

#include "grader/suite/hypothesis.h"
#include "suite_12.h"

/** Bias, with or without ReLU. */
struct bias_inputs {
    const struct layer_shape *shape; /**< of x */
    const float *x, *bias;           /**< inputs */
    bool relu;                       /**< fused with a ReLU */
};
/** Of y. */
void layers_bias_mistakes(struct hypotheses *h, const void *context);

/** The gradient of a ReLU. */
struct relu_grad_inputs {
    const float *y, *y_grad; /**< its output, and the gradient of that */
};
/** Of x_grad. */
void layers_relu_grad_mistakes(struct hypotheses *h, const void *context);

/** The gradient with respect to a bias. */
struct bias_grad_inputs {
    const struct layer_shape *shape; /**< of y_grad */
    const double *x_grad;            /**< after the mask of the ReLU */
    const float *y_grad;             /**< before it */
};
/** Of bias_grad. */
void layers_bias_grad_mistakes(struct hypotheses *h, const void *context);

/** Max-pooling. */
struct pool_inputs {
    const struct pool_shape *shape; /**< of the windows */
    const float *x;                 /**< input */
    size_t rows, columns;           /**< windows in a plane */
};
/** Of y. */
void layers_pool_mistakes(struct hypotheses *h, const void *context);
/** Of argmax. */
void layers_argmax_mistakes(struct hypotheses *h, const void *context);

/** The gradient of max-pooling. */
struct pool_grad_inputs {
    const struct pool_shape *shape; /**< of the windows */
    const float *y_grad;            /**< gradients of the windows */
    const size_t *at;               /**< index of each window's maximum in x */
    const double *argmax;           /**< and in its window */
    size_t rows, columns;           /**< windows in a plane */
    size_t windows;                 /**< in all */
};
/** Of x_grad. */
void layers_pool_grad_mistakes(struct hypotheses *h, const void *context);

/** Softmax. */
struct softmax_inputs {
    const float *x;       /**< input */
    size_t rows, columns; /**< of x */
};
/** What its rows tell of their sums, where no mistake fits. */
void layers_softmax_rows(struct hypotheses *h, const struct softmax_inputs *in);
/** Of y. */
void layers_softmax_mistakes(struct hypotheses *h, const void *context);

/** Cross-entropy. */
struct loss_inputs {
    const float *x;        /**< input */
    const uint8_t *labels; /**< one for each row */
    size_t rows, classes;  /**< of x */
    const float *earlier;  /**< the sum of the losses of the call before, and
                                of all calls of the test; or NULL */
    const double *x_grad;  /**< the reference */
};
/** Set `earlier`, and keep the sum of this call's losses for the next one. */
void layers_keep_losses(struct loss_inputs *in, double sum);
/** Of the losses, whose last element is their mean. */
void layers_loss_mistakes(struct hypotheses *h, const void *context);
/** Of x_grad. */
void layers_loss_grad_mistakes(struct hypotheses *h, const void *context);

/** Batch normalization: the forward pass, or inference. */
struct norm_inputs {
    const struct layer_shape *shape; /**< of x */
    const struct batchnorm *norm;    /**< parameters */
    const float *x;                  /**< input */
    const double *mean, *var; /**< of each channel: of the batch, or running */
    const double *running;    /**< before the call: means, then variances */
    double m;                 /**< elements of a channel */
};
/** Of y. */
void layers_norm_mistakes(struct hypotheses *h, const void *context);
/** Of inv_std. */
void layers_inv_std_mistakes(struct hypotheses *h, const void *context);
/** Of running_mean. */
void layers_running_mean_mistakes(struct hypotheses *h, const void *context);
/** Of running_var. */
void layers_running_var_mistakes(struct hypotheses *h, const void *context);

/** The backward pass of batch normalization. */
struct norm_grad_inputs {
    const struct layer_shape *shape; /**< of x */
    const struct batchnorm *norm;    /**< parameters and saved statistics */
    const float *x, *y_grad;         /**< inputs */
};
/** Of beta_grad. */
void layers_beta_grad_mistakes(struct hypotheses *h, const void *context);
/** Of gamma_grad. */
void layers_gamma_grad_mistakes(struct hypotheses *h, const void *context);
/** Of x_grad. */
void layers_norm_grad_mistakes(struct hypotheses *h, const void *context);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  The reference of lab 13 in double: convolution, bias, ReLU, max-pooling,
 *  dense layer, softmax and cross-entropy, forward and backward, with a bound
 *  on the magnitudes that each result is computed from.
 */
#ifndef GRADER_SUITES_NETWORK_STEP_H
#define GRADER_SUITES_NETWORK_STEP_H

#include "labs/13_cudnn_layer/cudnn_layer.h"
#include "grader/suite/suite.h"

/** Values and, for each, the magnitude that its rounding errors are relative
 *  to. */
struct bounded_array {
    double *value; /**< freed with the test */
    double *scale; /**< likewise */
    size_t count;  /**< elements of each */
};

/** A wrong value of a step, to recognize a mistake. */
enum network_mistake {
    NETWORK_RIGHT,
    NETWORK_NO_RELU,         /**< forward: the ReLU is missing */
    NETWORK_AVERAGE_POOLING, /**< forward: the mean of each window */
    NETWORK_NO_RELU_BACKWARD, /**< backward: the mask is missing */
    NETWORK_RELU_OF_GRADIENT, /**< backward: the mask of the gradient's sign */
    NETWORK_OUTPUT_AS_GRADIENT, /**< backward: convolution's y in place of the
                                     gradient of y */
    NETWORK_SQUARE_FEATURES, /**< forward: k * p * p features, not k * p * q */
    NETWORK_TF32,            /**< factors of convolutions cut to 11 bits */
    NETWORK_DENSE_ROWS_BACKWARD, /**< backward: weights [classes][features] */
    NETWORK_NO_PADDING,      /**< x without its zeros */
    NETWORK_ROW_PADDING,     /**< rows of zeros, and no columns */
    NETWORK_COLUMN_PADDING,  /**< columns of zeros, and no rows */
    NETWORK_FILTER_OF_ROWS,  /**< filters of r x r, not r x s */
    NETWORK_FILTER_OF_COLUMNS, /**< filters of s x s, not r x s */
    NETWORK_FILTER_TRANSPOSED, /**< filters of s x r, not r x s */
    NETWORK_PLAIN_SOFTMAX,   /**< backward: the gradient of the softmax, as if
                                  the scores were probabilities */
    NETWORK_RELU_BEFORE_BIAS, /**< forward: bias added to the ReLU's output */
    NETWORK_SCORES_AS_GRADIENT /**< backward: scores and target exchanged */
};

/** Inputs and expected outputs of a step. */
struct network_step {
    struct cudnn_layer_shape shape; /**< sizes */
    float *x, *target, *parameters; /**< inputs */
    size_t parameter_count;         /**< elements of `parameters` */
    enum network_mistake mistake;   /**< NETWORK_RIGHT: the reference */
    const float *back; /**< parameters of the backward pass; NULL: the same */
    struct bounded_array scores, loss;      /**< of forward */
    struct bounded_array gradients, x_grad; /**< of backward */
};

/** Output sizes: rows and columns after convolution and pooling, features of
 *  an image after pooling. */
struct network_output_sizes {
    int p, q, pooled_p, pooled_q, features; /**< see cudnn_layer.h */
};
/** Compute the output sizes. */
struct network_output_sizes network_output_sizes(
    const struct cudnn_layer_shape *shape);
/** Allocate the arrays of a step, all zero. */
struct network_step network_step_create(const struct cudnn_layer_shape *shape);
/** Can a step with this mistake be computed from the same arrays?  Other sizes
 *  may need more parameters than there are. */
bool network_step_is_possible(const struct network_step *step);
/** Compute the expected outputs from the inputs. */
void network_step_reference(struct network_step *step);
/** The numbers in double, freed with the test. */
double *network_doubles(const float *from, size_t count);
/** The gradient of the loss with respect to logit i, once the scores are
 *  computed. */
double network_logit_gradient(const struct network_step *step, size_t i);
/** Compute only the loss, for other parameters and another x, in double. */
double network_step_loss(const struct network_step *step,
                         const double *parameters, const double *x);

#endif

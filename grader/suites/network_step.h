/* SPDX-License-Identifier: MIT */
/** @file
 *  A step of lab 13's network in double: convolution, bias, ReLU, max-pool,
 *  dense layer, softmax, cross-entropy; forward and backward, with a bound on
 *  the magnitudes that occur on the way to each number.
 */
#ifndef GRADER_SUITES_NETWORK_STEP_H
#define GRADER_SUITES_NETWORK_STEP_H

#include "labs/13_cudnn_layer/cudnn_layer.h"
#include "suite.h"

/** Numbers and, for each, the magnitude that roundings are relative to. */
struct bounded {
    double *value; /**< of the suite's memory, freed with the test */
    double *scale; /**< likewise */
    size_t count;  /**< of each */
};

/** What a step takes and what must come of it. */
struct network_step {
    struct cudnn_layer_shape shape; /**< sizes */
    float *x, *target, *parameters; /**< inputs */
    size_t parameter_count;         /**< floats of parameters */
    struct bounded scores, loss;      /**< of forward */
    struct bounded gradients, x_grad; /**< of backward */
};

/** Sizes that follow: rows and columns behind convolution and pooling, numbers
 *  an image behind pooling. */
struct network_sizes {
    int p, q, pooled_p, pooled_q, features; /**< see cudnn_layer.h */
};
/** Them. */
struct network_sizes network_sizes(const struct cudnn_layer_shape *shape);
/** Arrays for a step, all zero. */
struct network_step network_step_new(const struct cudnn_layer_shape *shape);
/** Work out all that must come of the inputs. */
void network_step_reference(struct network_step *step);
/** The loss alone, of other parameters and another x, in double. */
double network_step_loss(const struct network_step *step,
                         const double *parameters, const double *x);

#endif

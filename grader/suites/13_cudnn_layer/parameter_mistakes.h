/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 13: where the parts of the parameters are, and steps that read them from
 *  another place.
 */
#ifndef GRADER_SUITES_13_PARAMETER_MISTAKES_H
#define GRADER_SUITES_13_PARAMETER_MISTAKES_H

#include "grader/suite/hypothesis.h"
#include "mistakes.h"

/** Where the parts of the parameters start. */
struct layer_offsets {
    size_t bias, dense, dense_bias; /**< in floats */
    size_t features;                /**< inputs of the dense layer */
};

/** These of a shape. */
struct layer_offsets layer_offsets(const struct cudnn_layer_shape *s);
/** A step with the same inputs, not yet computed. */
struct network_step layer_copy_inputs(const struct network_step *s);
/** Let the backward pass read the gradients of the dense weights as weights. */
void layer_dense_gradients_back(struct network_step *s);
/** The same of the filters. */
void layer_filter_gradients_back(struct network_step *s);
/** Try the scores with a part of the parameters from each other place. */
void layer_try_offsets(struct hypotheses *h, const struct network_step *s);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  What the gradients of lab 12 are the sums of.
 */
#ifndef GRADER_SUITES_12_LAYERS_RESPONSE_H
#define GRADER_SUITES_12_LAYERS_RESPONSE_H

#include "grader/suite/response.h"
#include "mistakes.h"

/** The sums of bias_grad; valid as long as `inputs` is. */
struct response layers_bias_grad_response(
    const struct bias_grad_inputs *inputs);
/** The sums of max-pooling's x_grad; valid as long as `inputs` is. */
struct response layers_pool_grad_response(
    const struct pool_grad_inputs *inputs);

#endif

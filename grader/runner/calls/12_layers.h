/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions of lab 12 by number: what suite and thunk agree on.
 *
 *  Arguments come in the order of the contract, a struct as its members, first
 *  all arrays, then whole numbers, then others.  An output that is computed in
 *  place is the whole number 0 and means the first array.
 */
#ifndef GRADER_RUNNER_CALLS_12_LAYERS_H
#define GRADER_RUNNER_CALLS_12_LAYERS_H

/** Which function a frame calls. */
enum layers_call {
    BIAS_FORWARD,
    BIAS_BACKWARD,
    RELU_FORWARD,
    RELU_BACKWARD,
    BIAS_RELU_FORWARD,
    BIAS_RELU_BACKWARD,
    MAXPOOL_FORWARD,
    MAXPOOL_BACKWARD,
    SOFTMAX_FORWARD,
    SOFTMAX_LOSS,
    DROPOUT_FORWARD,
    DROPOUT_BACKWARD,
    BATCHNORM_FORWARD,
    BATCHNORM_INFERENCE,
    BATCHNORM_BACKWARD
};

#endif

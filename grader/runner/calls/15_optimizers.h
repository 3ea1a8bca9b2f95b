/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions of lab 15 by number: what suite and thunk agree on.
 */
#ifndef GRADER_RUNNER_CALLS_15_OPTIMIZERS_H
#define GRADER_RUNNER_CALLS_15_OPTIMIZERS_H

/** Which function a frame calls. */
enum optimizers_call { SGD_STEP, ADAM_STEP, CLIP_NORM, NEXT_STEP };

/** Arguments of the two steps: arrays, whole numbers, others. */
enum update_argument {
    UPDATE_PARAMS,
    UPDATE_GRADS,
    UPDATE_FIRST,
    UPDATE_SECOND,
    UPDATE_RATE,
    UPDATE_SCALE,
    UPDATE_STEP,
    UPDATE_N,
    UPDATE_DECAYED,
    UPDATE_ABSENT, /**< bits: 1 d_first, 2 d_second, 4 d_scale is NULL */
    UPDATE_FLAG,   /**< nesterov, or decoupled */
    UPDATE_DECAY,  /**< weight_decay */
    UPDATE_MORE    /**< momentum, or beta1, beta2, epsilon */
};

#endif

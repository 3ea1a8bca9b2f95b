/* SPDX-License-Identifier: MIT */
/** @file
 *  The functions of lab 16 by number, and the arguments that suite and thunk
 *  agree on.
 */
#ifndef GRADER_RUNNER_CALLS_16_CNN_TRAINER_H
#define GRADER_RUNNER_CALLS_16_CNN_TRAINER_H

/** Which function a frame calls. */
enum trainer_call { TRAIN_STEP, TRAIN_EVALUATE, TRAIN_WORKSPACE };

/** Arguments of a step. */
enum trainer_argument {
    STEP_NET, /**< a struct network, plain data */
    STEP_IMAGES,
    STEP_LABELS,
    STEP_CHOSEN,
    STEP_PARAMETERS,
    STEP_GRADIENTS,
    STEP_FIRST,
    STEP_SECOND,
    STEP_RUNNING,
    STEP_RATE,
    STEP_STEP,
    STEP_TOTALS,
    STEP_WORK,
    STEP_LAYERS, /**< the layers' own arrays, as step_layout() lays them */
    STEP_COUNT,  /**< images of this step */
    STEP_ROOM,   /**< images there is room for */
    STEP_SEED
};

#endif

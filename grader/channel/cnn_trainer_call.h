/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls of lab 16: functions and arguments by number, for its suite and
 *  its thunk.  Both are written by hand: a step's arrays lie in one block of
 *  memory whose layout step_layout() decides, with pointers into it for each
 *  layer, which no line of the settings can say.
 */
#ifndef GRADER_CHANNEL_CNN_TRAINER_CALL_H
#define GRADER_CHANNEL_CNN_TRAINER_CALL_H

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

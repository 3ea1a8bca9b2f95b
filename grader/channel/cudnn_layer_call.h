/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls of lab 13: functions and arguments by number, for its suite and
 *  its thunk.  Both are written by hand: a layer is a handle that one process
 *  must create, use and destroy, on a stream of its own, which no line of
 *  the settings can say.  So one call of a frame is the whole life of a layer.
 */
#ifndef GRADER_CHANNEL_CUDNN_LAYER_CALL_H
#define GRADER_CHANNEL_CUDNN_LAYER_CALL_H

/** What a frame asks for. */
enum cudnn_layer_call {
    CUDNN_LAYER_STEPS,    /**< forward and backward, LAYER_ROUNDS times */
    CUDNN_LAYER_WORKSPACE /**< the size of the workspace */
};

/** Arguments of both, then those of the steps. */
enum cudnn_layer_argument {
    LAYER_SHAPE, /**< struct cudnn_layer_shape */
    LAYER_LIMIT, /**< bytes that the workspace may have */
    LAYER_BYTES, /**< CUDNN_LAYER_WORKSPACE: int64_t, out; -1: create() failed,
                      -2: it failed and left a layer */
    LAYER_ROUNDS = LAYER_BYTES, /**< CUDNN_LAYER_STEPS: how many; 0: one, which
                                     is captured into a graph */
    LAYER_X,          /**< device arrays, as in cudnn_layer.h */
    LAYER_TARGET,     /**< in */
    LAYER_PARAMETERS, /**< in */
    LAYER_SCORES,     /**< out */
    LAYER_LOSS,       /**< out */
    LAYER_GRADIENTS,  /**< out */
    LAYER_X_GRAD      /**< out */
};

#endif

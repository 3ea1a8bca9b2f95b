/* SPDX-License-Identifier: MIT */
/** @file
 *  The calls of lab 13: functions and arguments by number, for its suite and
 *  its thunk.  Both are written by hand: a layer is a handle that one process
 *  must create, use and destroy, on a stream of its own, which no line of
 *  the settings can say.  So one call of a frame is the whole life of a layer,
 *  or of two.
 */
#ifndef GRADER_CHANNEL_CUDNN_LAYER_CALL_H
#define GRADER_CHANNEL_CUDNN_LAYER_CALL_H

/** Operations of a frame. */
enum cudnn_layer_call {
    CUDNN_LAYER_STEPS,    /**< forward and backward, LAYER_ROUNDS times */
    CUDNN_LAYER_FORWARD,  /**< only forward, LAYER_ROUNDS times */
    CUDNN_LAYER_PAIR,     /**< two layers alive at once: forward of both, then
                               backward of both, the first destroyed before
                               the second is used again */
    CUDNN_LAYER_WORKSPACE /**< the size of the workspace */
};

/** Arguments of all, then those of the steps; of a pair the second layer's
 *  follow, LAYER_ARGUMENTS later. */
enum cudnn_layer_argument {
    LAYER_SHAPE, /**< struct cudnn_layer_shape */
    LAYER_LIMIT, /**< bytes that the workspace may have */
    LAYER_BYTES, /**< CUDNN_LAYER_WORKSPACE: int64_t, out; -1: create() failed,
                      -2: it failed and left a layer */
    LAYER_ROUNDS = LAYER_BYTES, /**< the others: how many; 0: one, which is
                                     captured into a graph */
    LAYER_X,          /**< device arrays, as in cudnn_layer.h */
    LAYER_TARGET,     /**< in */
    LAYER_PARAMETERS, /**< in */
    LAYER_SCORES,     /**< out */
    LAYER_LOSS,       /**< out */
    LAYER_GRADIENTS,  /**< out; not of CUDNN_LAYER_FORWARD */
    LAYER_X_GRAD,     /**< out; not of CUDNN_LAYER_FORWARD */
    LAYER_ARGUMENTS   /**< how many a step has */
};

/** Status of a step whose outputs changed after its stream had completed; of
 *  one in which forward() or backward() allocated device memory. */
enum { LAYER_IS_LATE = -3, LAYER_ALLOCATES = -4 };

#endif

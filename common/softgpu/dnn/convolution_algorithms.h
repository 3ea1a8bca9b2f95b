/* SPDX-License-Identifier: MIT */
/** @file
 *  The algorithms of cuDNN's convolutions: supported shapes, workspace, and
 *  their modeled cost on the described GPU.
 */
#ifndef SOFTGPU_DNN_CONVOLUTION_ALGORITHMS_H
#define SOFTGPU_DNN_CONVOLUTION_ALGORITHMS_H

#include "convolution_shape.h"

/** An algorithm's cost for a shape. */
struct dnn_algorithm {
    int algo;               /**< cuDNN's number in its direction */
    bool is_supported;      /**< false: not for this shape */
    bool is_deterministic;  /**< on a GPU: not accumulated with atomics */
    int rank;               /**< in the heuristic; the smallest first */
    size_t workspace_bytes; /**< that the program must provide */
    double operations;      /**< floating-point */
    double dram_bytes;      /**< traffic through the GPU's memory */
    float time_ms;          /**< modeled for the GPU */
};

/** Number of algorithms of a direction. */
int dnn_algorithm_count(enum dnn_direction direction);

/** The cost of an algorithm; not supported if there is no such number. */
struct dnn_algorithm dnn_algorithm(const struct dnn_conv_shape *shape,
                                   int algo);

#endif

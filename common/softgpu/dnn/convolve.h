/* SPDX-License-Identifier: MIT */
/** @file
 *  Computing convolutions on this computer.
 */
#ifndef SOFTGPU_DNN_CONVOLVE_H
#define SOFTGPU_DNN_CONVOLVE_H

#include "convolution_shape.h"

/** A convolution with its data: all float or all double, any strides. */
struct dnn_conv_job {
    const struct dnn_conv_shape *shape; /**< shape and direction */
    void *x, *w, *y; /**< device memory */
};

/** Compute it in float with oneDNN, on the calling thread alone; overwrites
 *  the result. */
void dnn_convolve_onednn(const struct dnn_conv_job *job);

/** Compute it in double with nested loops; overwrites the result. */
void dnn_convolve_direct(const struct dnn_conv_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  The host code of all steps of lab 10: checks of the arguments, and cases
 *  that need no kernel.  The steps define `launch`. */
#ifndef CONVOLUTION_HOST_H
#define CONVOLUTION_HOST_H

#include "convolution.h"
#include "grid.h"

enum {
    MAX_FILTER_ELEMENTS =
        CONVOLUTION_MAX_FILTER_SIDE * CONVOLUTION_MAX_FILTER_SIDE
};

/** The arguments of a call of convolution(). */
struct filter_args {
    struct convolution_shape shape; /**< sizes */
    const float *d_in;    /**< device: the image */
    const float *filter;  /**< host: rows * columns floats */
    const float *factors; /**< host: rows + columns floats, or NULL */
    float *d_work;        /**< device: workspace of the size of the image */
    float *d_out;         /**< device: the result */
};

/** Launch the kernels for an image that is not empty.
 *  @return  cudaSuccess or the first error */
static cudaError_t launch(const struct filter_args *filter_args);

static bool is_filter_side(int side)
{
    return side > 0 && side <= CONVOLUTION_MAX_FILTER_SIDE && side % 2 == 1;
}

int convolution(const struct convolution_shape *shape, const float *d_in,
                const float *filter, const float *factors, float *d_work,
                float *d_out)
{
    const struct filter_args filter_args = {*shape,  d_in,   filter,
                                            factors, d_work, d_out};

    if (shape->width < 0 || shape->height < 0 || !is_filter_side(shape->columns)
        || !is_filter_side(shape->rows))
        return cudaErrorInvalidValue;
    if (shape->width == 0 || shape->height == 0) return cudaSuccess;
    return launch(&filter_args);
}

#endif

/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  The host's half of every step of lab 10: what is refused, and what needs no
 *  kernel.  The steps define `launch`.
 */
#ifndef CONVOLUTION_HOST_H
#define CONVOLUTION_HOST_H

// END SOLUTION
#include "convolution.h"
#include "grid.h"

enum { FILTER_MAX = CONVOLUTION_SIDE_MAX * CONVOLUTION_SIDE_MAX };

/** A call of convolution(): its arguments. */
struct job {
    struct convolution_shape shape; /**< sizes */
    const float *d_in;    /**< device: the image */
    const float *filter;  /**< host: rows * columns numbers */
    const float *factors; /**< host: rows + columns numbers, or NULL */
    float *d_work;        /**< device: as large as the image */
    float *d_out;         /**< device: the result */
};

/** Launch the kernels for an image with pixels.
 *  @return cudaSuccess or the first error */
static cudaError_t launch(const struct job *job);

static bool is_side(int side)
{
    return side > 0 && side <= CONVOLUTION_SIDE_MAX && side % 2 == 1;
}

int convolution(const struct convolution_shape *shape, const float *d_in,
                const float *filter, const float *factors, float *d_work,
                float *d_out)
{
    const struct job job = {*shape, d_in, filter, factors, d_work, d_out};

    if (shape->width < 0 || shape->height < 0 || !is_side(shape->columns)
        || !is_side(shape->rows))
        return cudaErrorInvalidValue;
    if (shape->width == 0 || shape->height == 0) return cudaSuccess;
    return launch(&job);
}
// BEGIN SOLUTION

#endif
// END SOLUTION

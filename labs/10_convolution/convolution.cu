/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 10: filter an image on the GPU.  The contract is in convolution.h. */
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

/** One pixel of out per thread.  Device pointers; the filter is in the array
 *  of TODO 1. */
__global__ void filter_image(const float *__restrict__ in,
                             float *__restrict__ out,
                             struct convolution_shape s)
{
    /* TODO 2: x and y of this thread's pixel; check both bounds */
    /* TODO 3: the sum over the window; outside the image the nearest pixel */
}

static cudaError_t launch(const struct filter_args *filter_args)
{
    /* TODO 1: the filter is in host memory: declare a __constant__ array of
     * MAX_FILTER_ELEMENTS floats, and copy with cudaMemcpyToSymbolAsync */
    /* TODO 4: a 2-D grid, rounded up in both dimensions; launch; check the
     * error */
    return cudaErrorNotSupported;
}

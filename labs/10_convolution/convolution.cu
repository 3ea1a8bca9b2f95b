/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 10: filter an image on the GPU.  The contract is in convolution.h. */
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

/** One thread, one pixel of out.  Device pointers; the filter's numbers are
 *  in the array that TODO 1 asks for. */
__global__ void filter_image(const float *__restrict__ in,
                             float *__restrict__ out,
                             struct convolution_shape s)
{
    /* TODO 2: x and y of this thread's pixel; return beyond the image */
    /* TODO 3: the sum over the window; beyond the edge the nearest pixel */
}

static cudaError_t launch(const struct job *job)
{
    /* TODO 1: the filter is host memory: a __constant__ array of FILTER_MAX
     * floats, and cudaMemcpyToSymbolAsync */
    /* TODO 4: a 2-D grid, rounded up both ways; launch; ask for errors */
    return cudaErrorNotSupported;
}

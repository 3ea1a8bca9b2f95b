/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 2: the filter in constant memory. */
#include "constant_filter.h"
#include "window.h"

/** A thread owns a pixel; see sum_window.  Only the image is loaded from global
 *  memory. */
__global__ void filter_image(const float *__restrict__ in,
                             float *__restrict__ out,
                             struct convolution_shape s)
{
    sum_window(in, c_filter, out, s);
}

static cudaError_t launch(const struct filter_args *filter_args)
{
    cudaError_t err = copy_filter_to_constant(filter_args);

    if (err) return err;
    filter_image<<<pixel_grid(&filter_args->shape), dim3(BLOCK_X, BLOCK_Y)>>>(
        filter_args->d_in, filter_args->d_out, filter_args->shape);
    return CUDA_CHECK(cudaGetLastError());
}

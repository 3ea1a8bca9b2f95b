/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 1: image and filter in global memory. */
#include "window.h"

__device__ float d_filter[MAX_FILTER_ELEMENTS];

/** A thread owns a pixel; see sum_window.  All lanes of a warp load the same
 *  element of the filter: one sector each time. */
__global__ void filter_image(const float *__restrict__ in,
                             float *__restrict__ out,
                             struct convolution_shape s)
{
    sum_window(in, d_filter, out, s);
}

static cudaError_t launch(const struct filter_args *filter_args)
{
    const struct convolution_shape *s = &filter_args->shape;
    const size_t bytes = sizeof(float) * s->rows * s->columns;
    cudaError_t err = CUDA_CHECK(cudaMemcpyToSymbolAsync(
        d_filter, filter_args->filter, bytes, 0, cudaMemcpyHostToDevice, 0));

    if (err) return err;
    filter_image<<<pixel_grid(s), dim3(BLOCK_X, BLOCK_Y)>>>(
        filter_args->d_in, filter_args->d_out, *s);
    return CUDA_CHECK(cudaGetLastError());
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 1: image and filter in global memory. */
#include "window.h"

__device__ float d_filter[FILTER_MAX];

/** A thread owns a pixel; see sum_window.  The lanes of a warp want the same
 *  number of the filter at a time: a sector each time. */
__global__ void filter_image(const float *__restrict__ in,
                             float *__restrict__ out,
                             struct convolution_shape s)
{
    sum_window(in, d_filter, out, s);
}

static cudaError_t launch(const struct job *job)
{
    const struct convolution_shape *s = &job->shape;
    const size_t bytes = sizeof(float) * s->rows * s->columns;
    cudaError_t err = CUDA_CHECK(cudaMemcpyToSymbolAsync(
        d_filter, job->filter, bytes, 0, cudaMemcpyHostToDevice, 0));

    if (err) return err;
    filter_image<<<pixel_grid(s), dim3(ACROSS, DOWN)>>>(job->d_in, job->d_out,
                                                        *s);
    return CUDA_CHECK(cudaGetLastError());
}

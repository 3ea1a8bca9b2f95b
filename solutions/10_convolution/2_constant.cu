/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution, step 2: the filter in constant memory. */
#include "constant.h"
#include "window.h"

/** A thread owns a pixel; see sum_window.  Of global memory only the image is
 *  read. */
__global__ void filter_image(const float *__restrict__ in,
                             float *__restrict__ out,
                             struct convolution_shape s)
{
    sum_window(in, c_filter, out, s);
}

static cudaError_t launch(const struct job *job)
{
    cudaError_t err = put_filter(job);

    if (err) return err;
    filter_image<<<pixel_grid(&job->shape), dim3(ACROSS, DOWN)>>>(
        job->d_in, job->d_out, job->shape);
    return CUDA_CHECK(cudaGetLastError());
}

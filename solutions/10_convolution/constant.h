/* SPDX-License-Identifier: MIT */
/** @file
 *  The filter in constant memory: what step 2 brings and all later steps keep.
 *
 *  A number that all lanes of a warp want at a time comes from the constant
 *  cache at the price of a register, and takes no path to global memory. */
#ifndef CONVOLUTION_CONSTANT_H
#define CONVOLUTION_CONSTANT_H

#include "host.h"

__constant__ float c_filter[FILTER_MAX];
__constant__ float c_factors[2 * CONVOLUTION_SIDE_MAX]; /* rows, then columns */

/** Copy the filter, and its factors if there are any.
 *  @return cudaSuccess or the error of the copy */
static inline cudaError_t put_filter(const struct job *job)
{
    const struct convolution_shape *s = &job->shape;
    const size_t all = sizeof(float) * s->rows * s->columns;
    const size_t both = sizeof(float) * (s->rows + s->columns);
    cudaError_t err = CUDA_CHECK(cudaMemcpyToSymbolAsync(
        c_filter, job->filter, all, 0, cudaMemcpyHostToDevice, 0));

    if (err || !job->factors) return err;
    return CUDA_CHECK(cudaMemcpyToSymbolAsync(
        c_factors, job->factors, both, 0, cudaMemcpyHostToDevice, 0));
}

#endif

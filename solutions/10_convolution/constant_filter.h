/* SPDX-License-Identifier: MIT */
/** @file
 *  The filter in constant memory: introduced in step 2, used in all later
 *  steps.
 *
 *  An element that all lanes of a warp load at the same time is broadcast by
 *  the constant cache at the cost of a register access, without traffic to
 *  global memory.
 */
#ifndef CONVOLUTION_CONSTANT_FILTER_H
#define CONVOLUTION_CONSTANT_FILTER_H

#include "host.h"

__constant__ float c_filter[MAX_FILTER_ELEMENTS];
__constant__ float c_factors[2 * CONVOLUTION_MAX_FILTER_SIDE]; /* rows, then
                                                                * columns */

/** Copy the filter, and its factors if there are any, to constant memory.
 *  @return  cudaSuccess or the error of the copy */
static inline cudaError_t
copy_filter_to_constant(const struct filter_args *filter_args)
{
    const struct convolution_shape *s = &filter_args->shape;
    const size_t filter_bytes = sizeof(float) * s->rows * s->columns;
    const size_t factor_bytes = sizeof(float) * (s->rows + s->columns);
    cudaError_t err = CUDA_CHECK(
        cudaMemcpyToSymbolAsync(c_filter, filter_args->filter, filter_bytes, 0,
                                cudaMemcpyHostToDevice, 0));

    if (err || !filter_args->factors) return err;
    return CUDA_CHECK(cudaMemcpyToSymbolAsync(c_factors, filter_args->factors,
                                              factor_bytes, 0,
                                              cudaMemcpyHostToDevice, 0));
}

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  A deterministic sum over images that is distributed over many blocks
 *  (split-K): each block stores a partial sum, and a second launch adds the
 *  partial sums in a fixed order. */
#ifndef CONV_LAYER_PARTIAL_SUMS_H
#define CONV_LAYER_PARTIAL_SUMS_H

#include "host.h"

/** A thread owns out[i], the sum of partials[0][i], partials[1][i], ... and, if
 *  `more`, of the old out[i].  Grid ceil(size / 256), block 256. */
__global__ void reduce_partials(const float *__restrict__ partials,
                                float *__restrict__ out, int count, int size,
                                bool more)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= size) return;
    float sum = more ? out[i] : 0;
    for (int part = 0; part < count; part++)
        sum += partials[(size_t)part * size + i];
    out[i] = sum;
}

/** Launch the kernel. */
static inline cudaError_t launch_reduce_partials(const float *d_partials,
                                                 float *d_out, int count,
                                                 int size, bool more)
{
    reduce_partials<<<(unsigned)ceil_div(size, THREADS), THREADS>>>(
        d_partials, d_out, count, size, more);
    return CUDA_CHECK(cudaGetLastError());
}

#endif

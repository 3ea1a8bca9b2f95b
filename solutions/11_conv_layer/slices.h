/* SPDX-License-Identifier: MIT */
/** @file
 *  A sum over images that many blocks share, the same bits each time: each
 *  leaves its part, and a second launch adds the parts up in their order. */
#ifndef CONV_LAYER_SLICES_H
#define CONV_LAYER_SLICES_H

#include "host.h"

/** A thread owns out[i], the sum of parts[0][i], parts[1][i], ... and, if
 *  `more`, of what was there.  Grid ceil(size / 256), block 256. */
__global__ void add_parts(const float *__restrict__ parts,
                          float *__restrict__ out, int count, int size,
                          bool more)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= size) return;
    float sum = more ? out[i] : 0;
    for (int part = 0; part < count; part++)
        sum += parts[(size_t)part * size + i];
    out[i] = sum;
}

/** Launch it. */
static inline cudaError_t add_slices(const float *d_parts, float *d_out,
                                     int count, int size, bool more)
{
    add_parts<<<(unsigned)tiles_for(size, THREADS), THREADS>>>(
        d_parts, d_out, count, size, more);
    return CUDA_CHECK(cudaGetLastError());
}

#endif

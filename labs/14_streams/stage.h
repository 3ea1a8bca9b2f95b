/* SPDX-License-Identifier: MIT */
/** @file
 *  What lab 14 does with a batch; given, not to be changed.
 */
#ifndef STREAMS_STAGE_H
#define STREAMS_STAGE_H

#include "check.h"
#include "streams.h"

/** Make floats in [-1, 1) of a batch's bytes.  Host pointers, size elements
 *  each; both are the host's work while it lasts. */
static inline void load_batch(const unsigned char *in, float *out, int size)
{
    for (int i = 0; i < size; i++)
        out[i] = (float)in[i] * (1.0f / 128) - 1.0f;
}

/** One stage: y[i] = (x[i] + x[i + number + 1]) / 2, round the end; odd ones
 *  go on to |y| - 1/4.  A thread owns an element; grid ceil(size / 256), block
 *  256, no shared memory.  Exact: each stage needs one bit more. */
__global__ void stage(const float *__restrict__ x, float *__restrict__ y,
                      int size, int number)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= size) return;
    const float mean = 0.5f * (x[i] + x[(i + number + 1) % size]);
    y[i] = number % 2 ? fabsf(mean) - 0.25f : mean;
}

/** Queue all stages on a stream: from d_x and back to it, by way of d_y.
 *  Device pointers, size > 0 floats each.  @return cudaSuccess or the error
 *  of a launch */
static inline cudaError_t run_stages(float *d_x, float *d_y, int size,
                                     cudaStream_t stream)
{
    const unsigned threads = 256, blocks = (size + threads - 1) / threads;

    for (int number = 0; number < STREAMS_STAGES; number += 2) {
        stage<<<blocks, threads, 0, stream>>>(d_x, d_y, size, number);
        stage<<<blocks, threads, 0, stream>>>(d_y, d_x, size, number + 1);
    }
    return CUDA_CHECK(cudaGetLastError());
}

#endif

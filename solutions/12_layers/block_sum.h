/* SPDX-License-Identifier: MIT */
/** @file
 *  Steps 1 and 2 of lab 12: the sum over a block, with lab 04's tree, and sums
 *  over one channel. */
#ifndef LAYERS_BLOCK_SUM_H
#define LAYERS_BLOCK_SUM_H

#include "elementwise.h"
#include "batchnorm.h"
#include "maxpool.h"

/** The sum of the values of all threads, in all threads.  THREADS floats of
 *  shared memory; the last barrier separates the load of the sum from the next
 *  call. */
__device__ static inline float block_sum(float value)
{
    __shared__ float s_value[THREADS];
    unsigned t = threadIdx.x;

    s_value[t] = value;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) s_value[t] += s_value[t + half];
        __syncthreads();
    }
    value = s_value[0];
    __syncthreads();
    return value;
}

/** Offset of element i of channel blockIdx.x, counted through all images. */
__device__ static inline unsigned channel_offset(unsigned i, struct planes p)
{
    return (i / p.plane * p.c + blockIdx.x) * p.plane + i % p.plane;
}

/** A block owns a channel, a thread every 256th of its elements: the sum. */
__global__ void sum_channel(const float *y_grad, float *bias_grad,
                            struct planes p)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS)
        sum += y_grad[channel_offset(i, p)];
    sum = block_sum(sum);
    if (threadIdx.x == 0) bias_grad[blockIdx.x] = sum;
}

int bias_backward(const struct layer_shape *shape, const float *d_y_grad,
                  float *d_bias_grad)
{
    struct planes p;

    if (element_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    sum_channel<<<p.c, THREADS>>>(d_y_grad, d_bias_grad, p);
    return CUDA_CHECK(cudaGetLastError());
}

/** One block: the mean of n losses, stored after them. */
__global__ void mean_loss(float *losses, unsigned n)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < n; i += THREADS)
        sum += losses[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) losses[n] = n ? sum / n : 0;
}

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Steps 1 and 2 of lab 12: the sum over a block, by lab 04's tree, and walks
 *  over one channel. */
#ifndef LAYERS_TREE_H
#define LAYERS_TREE_H

#include "elements.h"
#include "norm.h"
#include "pool.h"

/** The sum of all threads' values, for all of them.  THREADS floats of shared
 *  memory; the last barrier separates reading it from the next call. */
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

/** Where element i of channel blockIdx.x lies, counted through all images. */
__device__ static inline unsigned place_of(unsigned i, struct planes p)
{
    return (i / p.plane * p.c + blockIdx.x) * p.plane + i % p.plane;
}

/** A block owns a channel, a thread every 256th of its elements: the sum. */
__global__ void sum_channel(const float *y_grad, float *bias_grad,
                            struct planes p)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS)
        sum += y_grad[place_of(i, p)];
    sum = block_sum(sum);
    if (threadIdx.x == 0) bias_grad[blockIdx.x] = sum;
}

int bias_backward(const struct layer_shape *shape, const float *d_y_grad,
                  float *d_bias_grad)
{
    struct planes p;

    if (shape_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    sum_channel<<<p.c, THREADS>>>(d_y_grad, d_bias_grad, p);
    return CUDA_CHECK(cudaGetLastError());
}

/** One block: the mean of n losses, behind them. */
__global__ void mean_loss(float *losses, unsigned n)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < n; i += THREADS)
        sum += losses[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) losses[n] = n ? sum / n : 0;
}

#endif

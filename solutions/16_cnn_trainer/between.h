/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers between those with weights: pooling, ReLU, dropout, and the scale of
 *  a batch.  A thread an element, but for batchnorm: a block a channel. */
#ifndef CNN_TRAINER_BETWEEN_H
#define CNN_TRAINER_BETWEEN_H

#include <stdint.h>

#include "moved.h"

/** Windows over planes. */
struct pool {
    int planes, h, w, p, q; /**< images times channels; sizes in and out */
    int size, stride;       /**< of a window */
};

/** The largest of each window, and which it is; the first of equals, and a
 *  NaN before all. */
__global__ void pool_forward(struct pool x, const float *from, float *to,
                             int *which)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t plane = (size_t)x.p * x.q;
    if (i >= x.planes * plane) return;

    const int top = (int)(i % plane / x.q) * x.stride;
    const int left = (int)(i % x.q) * x.stride;
    const float *image = from + i / plane * x.h * x.w;
    int best = top * x.w + left;
    for (int y = top; y < top + x.size; y++)
        for (int at = y * x.w + left; at < y * x.w + left + x.size; at++)
            if (image[at] > image[best] || image[at] != image[at]) best = at;
    to[i] = image[best];
    which[i] = best;
}

/** A window's gradient goes to the element that won it; windows that do not
 *  overlap: a thread a window.  What is in no window was 0 and stays so.
 *  @param mask  as in struct sweep */
__global__ void pool_back_apart(struct pool x, const float *grad,
                                const int *which, const float *mask,
                                float *to)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t plane = (size_t)x.p * x.q;
    if (i >= x.planes * plane) return;

    const int top = (int)(i % plane / x.q) * x.stride;
    const int left = (int)(i % x.q) * x.stride, won = which[i];
    const size_t image = i / plane * x.h * x.w;
    for (int y = top; y < top + x.size; y++)
        for (int at = y * x.w + left; at < y * x.w + left + x.size; at++)
            to[image + at] = at == won
                             && (!mask || mask[image + at] > 0) ? grad[i] : 0;
}

/** An element gets the gradients of all windows that it won. */
__global__ void pool_back(struct pool x, const float *grad, const int *which,
                          const float *mask, float *to)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t plane = (size_t)x.h * x.w;
    if (i >= x.planes * plane) return;

    const int at = (int)(i % plane), y = at / x.w, left = at % x.w;
    const int low_p = max(0, (y - x.size + x.stride) / x.stride);
    const int low_q = max(0, (left - x.size + x.stride) / x.stride);
    const size_t image = i / plane * x.p * x.q;
    float sum = 0;
    for (int p = low_p; p <= min(x.p - 1, y / x.stride); p++)
        for (int q = low_q; q <= min(x.q - 1, left / x.stride); q++)
            if (which[image + p * x.q + q] == at)
                sum += grad[image + p * x.q + q];
    to[i] = mask && !(mask[i] > 0) ? 0 : sum;
}

/** What is above 0. */
__global__ void relu_forward(const float *from, float *to, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] < 0 ? 0 : from[i];
}

/** The gradient where the output is above 0. */
__global__ void relu_back(const float *grad, const float *out, float *to,
                          size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = out[i] > 0 ? grad[i] : 0;
}

/** Set a share to 0, the same in both directions.
 *  @param seed   of this layer
 *  @param count  the step's number, on the device */
__global__ void dropout(const float *from, float *to, size_t n, float drop,
                        uint64_t seed, const int *count)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    to[i] = dropped(from[i], i, drop, seed, *count);
}

/** A batch's activations, and what its scale needs. */
struct scale {
    int n, c, plane;         /**< images, channels, pixels of a channel */
    const float *from, *gamma, *beta; /**< input, scale and bias a channel */
    float *to;               /**< output, or gradient by the input */
    float *running, *saved;  /**< see step.h */
};

/** The block's sum of two numbers a thread, for all its threads. */
__device__ static inline float2 block_sum(float a, float b)
{
    __shared__ float2 s_sum[THREADS];
    s_sum[threadIdx.x] = make_float2(a, b);
    for (unsigned half = THREADS / 2; half; half /= 2) {
        __syncthreads(); /* the last round is written */
        if (threadIdx.x < half) {
            s_sum[threadIdx.x].x += s_sum[threadIdx.x + half].x;
            s_sum[threadIdx.x].y += s_sum[threadIdx.x + half].y;
        }
    }
    __syncthreads(); /* the sum is there */
    const float2 sum = s_sum[0];
    __syncthreads(); /* all have it */
    return sum;
}

/** Element i of the channel that a block owns. */
__device__ static inline size_t of_channel(const struct scale &x, int i)
{
    return ((size_t)(i / x.plane) * x.c + blockIdx.x) * x.plane + i % x.plane;
}

/** Forward; with `training` by the batch's own mean and variance. */
__global__ void __launch_bounds__(THREADS)
scale_forward(struct scale x, bool training)
{
    const int c = blockIdx.x, count = x.n * x.plane;
    float mean = x.running[c], variance = x.running[x.c + c];
    if (training) {
        float sum = 0, squares = 0;
        for (int i = threadIdx.x; i < count; i += THREADS)
            sum += x.from[of_channel(x, i)];
        mean = block_sum(sum, 0).x / count;
        for (int i = threadIdx.x; i < count; i += THREADS) {
            const float off = x.from[of_channel(x, i)] - mean;
            squares += off * off;
        }
        variance = block_sum(squares, 0).x / count;
        if (threadIdx.x == 0) {
            const float fair = count > 1 ? (float)count / (count - 1) : 1;
            x.running[c] += 0.1f * (mean - x.running[c]);
            x.running[x.c + c] +=
                0.1f * (variance * fair - x.running[x.c + c]);
        }
    }
    const float inverse = 1 / sqrtf(variance + 1e-5f);
    if (training && threadIdx.x == 0) {
        x.saved[c] = mean;
        x.saved[x.c + c] = inverse;
    }
    for (int i = threadIdx.x; i < count; i += THREADS) {
        const size_t at = of_channel(x, i);
        x.to[at] = (x.from[at] - mean) * inverse * x.gamma[c] + x.beta[c];
    }
}

/** Backward: gradients by scale, bias and input. */
__global__ void __launch_bounds__(THREADS)
scale_back(struct scale x, const float *grad, float *by_gamma, float *by_beta)
{
    const int c = blockIdx.x, count = x.n * x.plane;
    const float mean = x.saved[c], inverse = x.saved[x.c + c];
    float along = 0, plain = 0;
    for (int i = threadIdx.x; i < count; i += THREADS) {
        const size_t at = of_channel(x, i);
        along += grad[at] * (x.from[at] - mean) * inverse;
        plain += grad[at];
    }
    const float2 sum = block_sum(along, plain);
    if (threadIdx.x == 0) {
        by_gamma[c] = sum.x;
        by_beta[c] = sum.y;
    }
    for (int i = threadIdx.x; x.to && i < count; i += THREADS) {
        const size_t at = of_channel(x, i);
        const float unit = (x.from[at] - mean) * inverse;
        x.to[at] = x.gamma[c] * inverse
                   * (grad[at] - (sum.y + unit * sum.x) / count);
    }
}

#endif

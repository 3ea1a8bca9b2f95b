/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers without convolution or dense weights: pooling, ReLU, dropout and
 *  batch normalization.  One thread per element; for batch normalization one
 *  block per channel. */
#ifndef CNN_TRAINER_LAYER_KERNELS_H
#define CNN_TRAINER_LAYER_KERNELS_H

#include <stdint.h>

#include "layout_kernels.h"

/** Pooling windows over planes. */
struct pool {
    int planes, h, w, p, q; /**< images times channels; input and output sizes
                                 */
    int size, stride;       /**< of a window */
};

/** The maximum of each window and its argmax: the first of equal elements, and
 *  a NaN before all numbers. */
__global__ void maxpool_forward(struct pool x, const float *from, float *to,
                                int *indices)
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
    indices[i] = best;
}

/** The gradient of a window is that of its maximum; for windows that do not
 *  overlap: one thread per window.  Elements outside all windows were 0 and
 *  stay 0.
 *  @param mask  as in struct epilogue */
__global__ void maxpool_backward_disjoint(struct pool x, const float *grad,
                                          const int *indices, const float *mask,
                                          float *to)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t plane = (size_t)x.p * x.q;
    if (i >= x.planes * plane) return;

    const int top = (int)(i % plane / x.q) * x.stride;
    const int left = (int)(i % x.q) * x.stride, argmax = indices[i];
    const size_t image = i / plane * x.h * x.w;
    for (int y = top; y < top + x.size; y++)
        for (int at = y * x.w + left; at < y * x.w + left + x.size; at++)
            to[image + at] = at == argmax
                             && (!mask || mask[image + at] > 0) ? grad[i] : 0;
}

/** The gradient of an element is the sum over all windows whose maximum it is.
 */
__global__ void maxpool_backward(struct pool x, const float *grad,
                                 const int *indices, const float *mask,
                                 float *to)
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
            if (indices[image + p * x.q + q] == at)
                sum += grad[image + p * x.q + q];
    to[i] = mask && !(mask[i] > 0) ? 0 : sum;
}

/** ReLU. */
__global__ void relu_forward(const float *from, float *to, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] < 0 ? 0 : from[i];
}

/** The gradient where the output is above 0. */
__global__ void relu_backward(const float *grad, const float *out, float *to,
                              size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = out[i] > 0 ? grad[i] : 0;
}

/** Drop elements, the same ones forward and backward.
 *  @param seed  of this layer
 *  @param count  step number, on the device */
__global__ void dropout(const float *from, float *to, size_t n, float drop,
                        uint64_t seed, const int *count)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    to[i] = apply_dropout(from[i], i, drop, seed, *count);
}

/** The arguments of batch normalization. */
struct scale {
    int n, c, plane;         /**< images, channels, pixels of a channel */
    const float *from, *gamma, *beta; /**< input, scale and shift of a channel
                                           */
    float *to;               /**< output, or gradient with respect to the input
                                  */
    float *running, *saved;  /**< see step.h */
};

/** The sums of two values per thread over the block, in all threads. */
__device__ static inline float2 block_sum(float a, float b)
{
    __shared__ float2 s_sum[THREADS];
    s_sum[threadIdx.x] = make_float2(a, b);
    for (unsigned half = THREADS / 2; half; half /= 2) {
        __syncthreads(); /* the stores of the last round are complete */
        if (threadIdx.x < half) {
            s_sum[threadIdx.x].x += s_sum[threadIdx.x + half].x;
            s_sum[threadIdx.x].y += s_sum[threadIdx.x + half].y;
        }
    }
    __syncthreads(); /* the sum is complete */
    const float2 sum = s_sum[0];
    __syncthreads(); /* all threads have loaded it */
    return sum;
}

/** Offset of element i of the channel that the block owns. */
__device__ static inline size_t channel_element(const struct scale &x, int i)
{
    return ((size_t)(i / x.plane) * x.c + blockIdx.x) * x.plane + i % x.plane;
}

/** Forward; with `training` using the mean and variance of the batch. */
__global__ void __launch_bounds__(THREADS)
batchnorm_forward(struct scale x, bool training)
{
    const int c = blockIdx.x, count = x.n * x.plane;
    float mean = x.running[c], variance = x.running[x.c + c];
    if (training) {
        float sum = 0, squares = 0;
        for (int i = threadIdx.x; i < count; i += THREADS)
            sum += x.from[channel_element(x, i)];
        mean = block_sum(sum, 0).x / count;
        for (int i = threadIdx.x; i < count; i += THREADS) {
            const float deviation = x.from[channel_element(x, i)] - mean;
            squares += deviation * deviation;
        }
        variance = block_sum(squares, 0).x / count;
        if (threadIdx.x == 0) {
            const float unbiased = count > 1 ? (float)count / (count - 1) : 1;
            x.running[c] += 0.1f * (mean - x.running[c]);
            x.running[x.c + c] +=
                0.1f * (variance * unbiased - x.running[x.c + c]);
        }
    }
    const float inv_std = 1 / sqrtf(variance + 1e-5f);
    if (training && threadIdx.x == 0) {
        x.saved[c] = mean;
        x.saved[x.c + c] = inv_std;
    }
    for (int i = threadIdx.x; i < count; i += THREADS) {
        const size_t at = channel_element(x, i);
        x.to[at] = (x.from[at] - mean) * inv_std * x.gamma[c] + x.beta[c];
    }
}

/** Backward: gradients with respect to scale, shift and input. */
__global__ void __launch_bounds__(THREADS)
    batchnorm_backward(struct scale x, const float *grad, float *gamma_grad,
                       float *beta_grad)
{
    const int c = blockIdx.x, count = x.n * x.plane;
    const float mean = x.saved[c], inv_std = x.saved[x.c + c];
    float grad_dot_x_hat = 0, grad_sum = 0;
    for (int i = threadIdx.x; i < count; i += THREADS) {
        const size_t at = channel_element(x, i);
        grad_dot_x_hat += grad[at] * (x.from[at] - mean) * inv_std;
        grad_sum += grad[at];
    }
    const float2 sum = block_sum(grad_dot_x_hat, grad_sum);
    if (threadIdx.x == 0) {
        gamma_grad[c] = sum.x;
        beta_grad[c] = sum.y;
    }
    for (int i = threadIdx.x; x.to && i < count; i += THREADS) {
        const size_t at = channel_element(x, i);
        const float x_hat = (x.from[at] - mean) * inv_std;
        x.to[at] = x.gamma[c] * inv_std
                   * (grad[at] - (sum.y + x_hat * sum.x) / count);
    }
}

#endif

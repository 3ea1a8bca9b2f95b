/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers without weights: pooling, ReLU and dropout, one thread per element;
 *  and the sums of warps and blocks. */
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

/** The sums of two values per lane over the warp, in all lanes. */
__device__ static inline float2 warp_sum(float2 value)
{
#pragma unroll
    for (int lanes = WARP / 2; lanes; lanes /= 2) {
        value.x += __shfl_xor_sync(0xffffffff, value.x, lanes);
        value.y += __shfl_xor_sync(0xffffffff, value.y, lanes);
    }
    return value;
}

/** The sums of two values per thread over the block, in all threads. */
__device__ static inline float2 block_sum(float2 value)
{
    __shared__ float2 s_warp[THREADS / WARP];

    value = warp_sum(value);
    if (threadIdx.x % WARP == 0) s_warp[threadIdx.x / WARP] = value;
    __syncthreads(); /* the warps' sums are stored */
    value = make_float2(0, 0);
    if (threadIdx.x % WARP < blockDim.x / WARP)
        value = s_warp[threadIdx.x % WARP];
    __syncthreads(); /* all threads have loaded them */
    return warp_sum(value);
}

#endif

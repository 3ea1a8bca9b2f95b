/* SPDX-License-Identifier: MIT */
/** @file
 *  Batch normalization of step 2.  A channel's elements are divided among many
 *  blocks; the last block of a channel (found by a ticket) combines their
 *  sums in a fixed order.  A second launch computes the outputs, one thread per
 *  element. */
#ifndef CNN_TRAINER_BATCHNORM_KERNELS_H
#define CNN_TRAINER_BATCHNORM_KERNELS_H

#include "layer_kernels.h"

enum {
    PARTS = 32,       /**< most blocks of a channel */
    PART_ELEMENTS = 1024 /**< least elements of a block */
};

/** The arguments of batch normalization. */
struct scale {
    int n, c, plane;         /**< images, channels, pixels of a channel */
    const float *from, *gamma, *beta; /**< input, scale and shift of a channel
                                           */
    float *to;               /**< output, or gradient with respect to the input
                                  */
    float *running, *saved;  /**< see step.h */
    float2 *parts;           /**< [PARTS][c] sums of blocks */
    int *tickets;            /**< one per channel, all 0 */
};

/** Elements that a block owns; the grid has a column of blocks per channel. */
struct part {
    int begin, end; /**< of the channel */
};

/** The elements of this block. */
__device__ static inline struct part part_of_block(const struct scale &x)
{
    const int count = x.n * x.plane;
    const int each = (count + gridDim.y - 1) / gridDim.y;
    const int begin = min((int)blockIdx.y * each, count);

    return {begin, min(begin + each, count)};
}

/** Offset of element i of the channel that the block owns. */
__device__ static inline size_t channel_element(const struct scale &x, int i)
{
    return ((size_t)(i / x.plane) * x.c + blockIdx.x) * x.plane + i % x.plane;
}

/** Store a block's sums.
 *  @return  whether it is the last block of its channel */
__device__ static inline bool store_part(const struct scale &x, float2 sums)
{
    if (threadIdx.x == 0) x.parts[blockIdx.y * x.c + blockIdx.x] = sums;
    return is_last_block(&x.tickets[blockIdx.x], gridDim.y);
}

/** Mean and sum of squared deviations of a channel, combined from those of its
 *  parts (Chan, Golub and LeVeque): no part's mean is subtracted from a large
 *  sum of squares. */
__device__ static inline float2 combine_parts(const struct scale &x)
{
    const int count = x.n * x.plane;
    const int each = (count + gridDim.y - 1) / gridDim.y;
    float2 all = make_float2(0, 0);

    for (int i = 0, done = 0; done < count; i++) {
        const int own = min(each, count - done);
        const float2 part = x.parts[i * x.c + blockIdx.x];
        const float delta = part.x - all.x,
                    share = (float)own / (done + own);
        all.x += delta * share;
        all.y += part.y + delta * delta * done * share;
        done += own;
    }
    return all;
}

/** The mean and variance of a batch: two passes over the elements of a block,
 *  of which the second finds them in the caches.  Grid (c, parts). */
__global__ void __launch_bounds__(THREADS)
    batchnorm_statistics(struct scale x)
{
    const struct part own = part_of_block(x);
    const int c = blockIdx.x, count = x.n * x.plane;
    float2 sum = make_float2(0, 0);

    for (int i = own.begin + threadIdx.x; i < own.end; i += THREADS)
        sum.x += x.from[channel_element(x, i)];
    const float mean = block_sum(sum).x / max(own.end - own.begin, 1);
    sum = make_float2(0, 0);
    for (int i = own.begin + threadIdx.x; i < own.end; i += THREADS) {
        const float deviation = x.from[channel_element(x, i)] - mean;
        sum.y += deviation * deviation;
    }
    sum = block_sum(sum);
    if (!store_part(x, make_float2(mean, sum.y)) || threadIdx.x > 0) return;
    const float2 all = combine_parts(x);
    const float variance = all.y / count;
    const float unbiased = count > 1 ? (float)count / (count - 1) : 1;
    x.running[c] += 0.1f * (all.x - x.running[c]);
    x.running[x.c + c] += 0.1f * (variance * unbiased - x.running[x.c + c]);
    x.saved[c] = all.x;
    x.saved[x.c + c] = 1 / sqrtf(variance + 1e-5f);
}

/** The output; with `training` by the mean and variance of the batch. */
__global__ void batchnorm_forward(struct scale x, bool training)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int c = (int)(i / x.plane % x.c);

    if (i >= (size_t)x.n * x.c * x.plane) return;
    const float mean = training ? x.saved[c] : x.running[c];
    const float inv_std = training ? x.saved[x.c + c]
                                   : 1 / sqrtf(x.running[x.c + c] + 1e-5f);
    x.to[i] = (x.from[i] - mean) * inv_std * x.gamma[c] + x.beta[c];
}

/** The gradients with respect to scale and shift.  Grid (c, parts). */
__global__ void __launch_bounds__(THREADS)
    batchnorm_sums(struct scale x, const float *grad, float *gamma_grad,
                   float *beta_grad)
{
    const struct part own = part_of_block(x);
    const int c = blockIdx.x;
    const float mean = x.saved[c], inv_std = x.saved[x.c + c];
    float2 sum = make_float2(0, 0); /* of grad * x_hat, and of grad */

    for (int i = own.begin + threadIdx.x; i < own.end; i += THREADS) {
        const size_t at = channel_element(x, i);
        sum.x += grad[at] * (x.from[at] - mean) * inv_std;
        sum.y += grad[at];
    }
    if (!store_part(x, block_sum(sum)) || threadIdx.x > 0) return;
    sum = make_float2(0, 0);
    for (unsigned i = 0; i < gridDim.y; i++) {
        sum.x += x.parts[i * x.c + c].x;
        sum.y += x.parts[i * x.c + c].y;
    }
    gamma_grad[c] = sum.x;
    beta_grad[c] = sum.y;
}

/** The gradient with respect to the input, from those of batchnorm_sums(). */
__global__ void batchnorm_backward(struct scale x, const float *grad,
                                   const float *gamma_grad,
                                   const float *beta_grad)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int c = (int)(i / x.plane % x.c);

    if (i >= (size_t)x.n * x.c * x.plane) return;
    const float inv_std = x.saved[x.c + c];
    const float x_hat = (x.from[i] - x.saved[c]) * inv_std;
    x.to[i] = x.gamma[c] * inv_std
              * (grad[i]
                 - (beta_grad[c] + x_hat * gamma_grad[c]) / (x.n * x.plane));
}

/** The grid of the sums over channels. */
static inline dim3 grid_of_parts(const struct scale *x)
{
    const size_t wanted = ceil_div((size_t)x->n * x->plane, PART_ELEMENTS);

    return dim3(x->c, (unsigned)(wanted < PARTS ? wanted : (size_t)PARTS));
}

/** Launch the forward pass. */
static inline void launch_batchnorm_forward(const struct scale *x,
                                            bool training)
{
    const size_t n = (size_t)x->n * x->c * x->plane;

    if (training) batchnorm_statistics<<<grid_of_parts(x), THREADS>>>(*x);
    batchnorm_forward<<<blocks_for(n), THREADS>>>(*x, training);
}

/** Launch the backward pass; without x->to only for scale and shift. */
static inline void launch_batchnorm_backward(const struct scale *x,
                                             const float *grad,
                                             float *gamma_grad,
                                             float *beta_grad)
{
    const size_t n = (size_t)x->n * x->c * x->plane;

    batchnorm_sums<<<grid_of_parts(x), THREADS>>>(*x, grad, gamma_grad,
                                                  beta_grad);
    if (x->to)
        batchnorm_backward<<<blocks_for(n), THREADS>>>(*x, grad, gamma_grad,
                                                       beta_grad);
}

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Batch normalization for all steps of lab 12: the formulas, and inference. */
#ifndef LAYERS_BATCHNORM_H
#define LAYERS_BATCHNORM_H

#include "common.h"

/** Statistics and parameters of one channel. */
struct channel {
    float mean, inv_std, gamma, beta;
};

/** The statistics saved by the forward pass. */
__device__ static inline struct channel
load_saved_channel(struct batchnorm norm, unsigned c)
{
    struct channel channel = {norm.d_mean[c], norm.d_inv_std[c],
                              norm.d_gamma[c], norm.d_beta[c]};
    return channel;
}

/** y before the ReLU. */
__device__ static inline float apply_norm(float x, struct channel channel)
{
    return channel.gamma * ((x - channel.mean) * channel.inv_std)
           + channel.beta;
}

/** Save the statistics of a channel over m elements for the backward pass, and
 *  update the running statistics.  One thread calls it. */
__device__ static inline void
store_statistics(struct batchnorm norm, float mean, float var, unsigned m)
{
    const unsigned c = blockIdx.x;
    float unbiased = m > 1 ? var * m / (m - 1) : 0;

    norm.d_mean[c] = mean;
    norm.d_inv_std[c] = 1 / sqrtf(var + norm.epsilon);
    norm.d_running_mean[c] += norm.momentum * (mean - norm.d_running_mean[c]);
    norm.d_running_var[c] +=
        norm.momentum * (unbiased - norm.d_running_var[c]);
}

/** The gradient after the mask of the fused ReLU, if there is one. */
__device__ static inline float
relu_masked_grad(float x, float y_grad, struct channel channel, int relu)
{
    return relu ? relu_grad(apply_norm(x, channel), y_grad) : y_grad;
}

/** The gradient with respect to x, from the means over its channel. */
__device__ static inline float input_grad(float x, float grad, float2 mean,
                                          struct channel channel)
{
    float x_hat = (x - channel.mean) * channel.inv_std;

    return channel.gamma * channel.inv_std
           * (grad - mean.x - x_hat * mean.y);
}

/** A thread owns one element.  Grid ceil(n / 256). */
__global__ void batchnorm_inference_kernel(struct batchnorm norm,
                                           const float *x, float *y, int n,
                                           struct planes p)
{
    unsigned i = global_thread_index(), c;

    if (i >= (unsigned)n) return;
    c = channel_of(i, p);
    struct channel channel = {
        norm.d_running_mean[c],
        1 / sqrtf(norm.d_running_var[c] + norm.epsilon), norm.d_gamma[c],
        norm.d_beta[c]};
    float value = apply_norm(x[i], channel);
    y[i] = norm.relu ? relu(value) : value;
}

int batchnorm_inference(const struct layer_shape *shape,
                        const struct batchnorm *norm, const float *d_x,
                        float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    batchnorm_inference_kernel<<<blocks_for(n), THREADS>>>(*norm, d_x, d_y, n,
                                                           p);
    return CUDA_CHECK(cudaGetLastError());
}

#endif

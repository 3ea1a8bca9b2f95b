/* SPDX-License-Identifier: MIT */
/** @file
 *  Steps 1 and 2 of lab 12: elementwise layers, one thread for each element. */
#ifndef LAYERS_ELEMENTWISE_H
#define LAYERS_ELEMENTWISE_H

#include "philox.h"

/** A thread adds the bias to its element.  Grid ceil(n / 256), as for all
 *  kernels below. */
__global__ void add_bias(const float *x, const float *bias, float *y, int n,
                         struct planes p)
{
    unsigned i = global_thread_index();

    if (i < (unsigned)n) y[i] = x[i] + bias[channel_of(i, p)];
}

int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    add_bias<<<blocks_for(n), THREADS>>>(d_x, d_bias, d_y, n, p);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread computes the ReLU of its element. */
__global__ void relu_kernel(const float *x, float *y, int n)
{
    unsigned i = global_thread_index();

    if (i < (unsigned)n) y[i] = relu(x[i]);
}

int relu_forward(const float *d_x, float *d_y, int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    relu_kernel<<<blocks_for(n), THREADS>>>(d_x, d_y, n);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread applies the mask of the ReLU to the gradient of its element. */
__global__ void relu_backward_kernel(const float *y, const float *y_grad,
                                     float *x_grad, int n)
{
    unsigned i = global_thread_index();

    if (i < (unsigned)n) x_grad[i] = relu_grad(y[i], y_grad[i]);
}

int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    relu_backward_kernel<<<blocks_for(n), THREADS>>>(d_y, d_y_grad, d_x_grad,
                                                     n);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread keeps or drops its element; it uses one of the four words that it
 *  computes. */
__global__ void dropout_kernel(struct dropout config, const float *x, float *y,
                               int n)
{
    unsigned i = global_thread_index();

    if (i >= (unsigned)n) return;
    uint4 words = dropout_random_words(i / 4, config);
    unsigned word = i % 4 == 0   ? words.x
                    : i % 4 == 1 ? words.y
                    : i % 4 == 2 ? words.z
                                 : words.w;
    y[i] = apply_dropout(x[i], word, config.p);
}

int dropout_forward(const struct dropout *config, const float *d_x, float *d_y,
                    int n)
{
    if (n < 0 || !(config->p >= 0 && config->p < 1))
        return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    dropout_kernel<<<blocks_for(n), THREADS>>>(*config, d_x, d_y, n);
    return CUDA_CHECK(cudaGetLastError());
}

int dropout_backward(const struct dropout *config, const float *d_y_grad,
                     float *d_x_grad, int n)
{
    return dropout_forward(config, d_y_grad, d_x_grad, n);
}

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Steps 1 and 2 of lab 12: layers that need one element at a time, a thread
 *  each. */
#ifndef LAYERS_ELEMENTS_H
#define LAYERS_ELEMENTS_H

#include "philox.h"

/** A thread adds its element's bias.  Grid ceil(n / 256), as all below. */
__global__ void add_bias(const float *x, const float *bias, float *y, int n,
                         struct planes p)
{
    unsigned i = thread_number();

    if (i < (unsigned)n) y[i] = x[i] + bias[channel_of(i, p)];
}

int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y)
{
    struct planes p;
    int n = shape_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    add_bias<<<blocks_for(n), THREADS>>>(d_x, d_bias, d_y, n, p);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread rectifies its element. */
__global__ void rectify(const float *x, float *y, int n)
{
    unsigned i = thread_number();

    if (i < (unsigned)n) y[i] = relu(x[i]);
}

int relu_forward(const float *d_x, float *d_y, int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    rectify<<<blocks_for(n), THREADS>>>(d_x, d_y, n);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread lets its element's gradient pass, or not. */
__global__ void rectify_grad(const float *y, const float *y_grad,
                             float *x_grad, int n)
{
    unsigned i = thread_number();

    if (i < (unsigned)n) x_grad[i] = relu_grad(y[i], y_grad[i]);
}

int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    rectify_grad<<<blocks_for(n), THREADS>>>(d_y, d_y_grad, d_x_grad, n);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread keeps or drops its element; of four words it makes it needs one. */
__global__ void drop(struct dropout how, const float *x, float *y, int n)
{
    unsigned i = thread_number();

    if (i >= (unsigned)n) return;
    uint4 words = dropout_words(i / 4, how);
    unsigned word = i % 4 == 0   ? words.x
                    : i % 4 == 1 ? words.y
                    : i % 4 == 2 ? words.z
                                 : words.w;
    y[i] = keep(x[i], word, how.p);
}

int dropout_forward(const struct dropout *how, const float *d_x, float *d_y,
                    int n)
{
    if (n < 0 || !(how->p >= 0 && how->p < 1)) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    drop<<<blocks_for(n), THREADS>>>(*how, d_x, d_y, n);
    return CUDA_CHECK(cudaGetLastError());
}

int dropout_backward(const struct dropout *how, const float *d_y_grad,
                     float *d_x_grad, int n)
{
    return dropout_forward(how, d_y_grad, d_x_grad, n);
}

#endif

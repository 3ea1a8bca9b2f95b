/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12, step 3: elementwise layers with float4 accesses. */
#ifndef LAYERS_ELEMENTWISE_FLOAT4_H
#define LAYERS_ELEMENTWISE_FLOAT4_H

#include "philox.h"

/** The biases of elements i to i + 3; one load if the plane of a channel is a
 *  multiple of four. */
__device__ static inline float4 load_bias_float4(const float *bias, unsigned i,
                                                 struct planes p)
{
    float b = bias[channel_of(i, p)];

    if (p.plane % 4 == 0) return make_float4(b, b, b, b);
    return make_float4(b, bias[channel_of(i + 1, p)],
                       bias[channel_of(i + 2, p)], bias[channel_of(i + 3, p)]);
}

/** ReLU of four elements. */
__device__ static inline float4 relu_float4(float4 x)
{
    return make_float4(relu(x.x), relu(x.y), relu(x.z), relu(x.w));
}

/** Four gradients before a ReLU, from its output y. */
__device__ static inline float4 relu_grad_float4(float4 y, float4 grad)
{
    return make_float4(relu_grad(y.x, grad.x), relu_grad(y.y, grad.y),
                       relu_grad(y.z, grad.z), relu_grad(y.w, grad.w));
}

/** A thread owns every T-th float4 (T threads in the grid); the first threads
 *  also own one of up to three elements of the tail.
 *
 *  Any grid, block 256. x is loaded once, y stored once, 16 bytes per lane.
 *  `apply_relu` is the same for all threads, and so is whether there is a bias:
 *  no divergence.
 */
__global__ void bias_relu_float4(const float *x, const float *bias, float *y,
                                 int n, struct planes p, int apply_relu)
{
    const unsigned vectors = (unsigned)n / 4, t = global_thread_index();
    const unsigned tail = 4 * vectors + t;

    for (unsigned i = t; i < vectors; i += gridDim.x * THREADS) {
        float4 value = ((const float4 *)x)[i];
        if (bias) {
            float4 b = load_bias_float4(bias, 4 * i, p);
            value = make_float4(value.x + b.x, value.y + b.y, value.z + b.z,
                                value.w + b.w);
        }
        ((float4 *)y)[i] = apply_relu ? relu_float4(value) : value;
    }
    if (tail < (unsigned)n) {
        float value = bias ? x[tail] + bias[channel_of(tail, p)] : x[tail];
        y[tail] = apply_relu ? relu(value) : value;
    }
}

/** Launch the kernel.
 *  @param d_bias  NULL: no bias, and p is not used */
static int launch_bias_relu(const float *d_x, const float *d_bias, float *d_y,
                            int n, struct planes p, int apply_relu)
{
    unsigned blocks = 0;
    cudaError_t err;

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    err = grid_stride_blocks(&blocks, (size_t)n / 4, THREADS);
    if (err) return err;
    bias_relu_float4<<<blocks, THREADS>>>(d_x, d_bias, d_y, n, p, apply_relu);
    return CUDA_CHECK(cudaGetLastError());
}

int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    return launch_bias_relu(d_x, d_bias, d_y, n, p, 0);
}

int relu_forward(const float *d_x, float *d_y, int n)
{
    const struct planes none = {0, 0, 0};

    return launch_bias_relu(d_x, NULL, d_y, n, none, 1);
}

int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    return launch_bias_relu(d_x, d_bias, d_y, n, p, 1);
}

/** Elements and accesses as in bias_relu_float4; y_grad may be x_grad. */
__global__ void relu_backward_float4(const float *y, const float *y_grad,
                                     float *x_grad, int n)
{
    const unsigned vectors = (unsigned)n / 4, t = global_thread_index();
    const unsigned tail = 4 * vectors + t;

    for (unsigned i = t; i < vectors; i += gridDim.x * THREADS)
        ((float4 *)x_grad)[i] = relu_grad_float4(((const float4 *)y)[i],
                                                 ((const float4 *)y_grad)[i]);
    if (tail < (unsigned)n) x_grad[tail] = relu_grad(y[tail], y_grad[tail]);
}

int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, (size_t)n / 4, THREADS);

    if (err) return err;
    relu_backward_float4<<<blocks, THREADS>>>(d_y, d_y_grad, d_x_grad, n);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread owns every T-th float4, and uses all four words that it computes;
 *  one thread also owns the tail. */
__global__ void dropout_float4(struct dropout config, const float *x, float *y,
                               int n)
{
    const unsigned vectors = (unsigned)n / 4, t = global_thread_index();

    for (unsigned i = t; i < vectors; i += gridDim.x * THREADS) {
        uint4 word = dropout_random_words(i, config);
        float4 value = ((const float4 *)x)[i];
        ((float4 *)y)[i] =
            make_float4(apply_dropout(value.x, word.x, config.p),
                        apply_dropout(value.y, word.y, config.p),
                        apply_dropout(value.z, word.z, config.p),
                        apply_dropout(value.w, word.w, config.p));
    }
    if (t == 0 && n % 4 > 0) {
        unsigned i = 4 * vectors, left = (unsigned)n % 4;
        uint4 word = dropout_random_words(vectors, config);
        y[i] = apply_dropout(x[i], word.x, config.p);
        if (left > 1) y[i + 1] = apply_dropout(x[i + 1], word.y, config.p);
        if (left > 2) y[i + 2] = apply_dropout(x[i + 2], word.z, config.p);
    }
}

int dropout_forward(const struct dropout *config, const float *d_x, float *d_y,
                    int n)
{
    if (n < 0 || !(config->p >= 0 && config->p < 1))
        return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, (size_t)n / 4, THREADS);

    if (err) return err;
    dropout_float4<<<blocks, THREADS>>>(*config, d_x, d_y, n);
    return CUDA_CHECK(cudaGetLastError());
}

int dropout_backward(const struct dropout *config, const float *d_y_grad,
                     float *d_x_grad, int n)
{
    return dropout_forward(config, d_y_grad, d_x_grad, n);
}

#endif

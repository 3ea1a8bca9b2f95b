/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Lab 12, step 3: layers of single elements, four at a time. */
#ifndef LAYERS_WIDE_H
#define LAYERS_WIDE_H

#include "philox.h"

/** The biases of elements i to i + 3; one look-up where a channel's plane is
 *  a multiple of four. */
__device__ static inline float4 bias_of_quad(const float *bias, unsigned i,
                                             struct planes p)
{
    float b = bias[channel_of(i, p)];

    if (p.plane % 4 == 0) return make_float4(b, b, b, b);
    return make_float4(b, bias[channel_of(i + 1, p)],
                       bias[channel_of(i + 2, p)], bias[channel_of(i + 3, p)]);
}

/** Four at once through a ReLU. */
__device__ static inline float4 relu_quad(float4 x)
{
    return make_float4(relu(x.x), relu(x.y), relu(x.z), relu(x.w));
}

/** Four gradients back through a ReLU that gave y. */
__device__ static inline float4 relu_grad_quad(float4 y, float4 grad)
{
    return make_float4(relu_grad(y.x, grad.x), relu_grad(y.y, grad.y),
                       relu_grad(y.z, grad.z), relu_grad(y.w, grad.w));
}

/** A thread owns every T-th quad (T the grid's threads), the first ones also
 *  one of up to three elements at the end.
 *
 *  Any grid, block 256.  x is read once, y written once, 16 bytes a lane.
 *  `rectified` is the same for all threads, and so is whether there is a bias.
 */
__global__ void bias_relu_quads(const float *x, const float *bias, float *y,
                                int n, struct planes p, int rectified)
{
    const unsigned quads = (unsigned)n / 4, t = thread_number();
    const unsigned tail = 4 * quads + t;

    for (unsigned i = t; i < quads; i += gridDim.x * THREADS) {
        float4 value = ((const float4 *)x)[i];
        if (bias) {
            float4 b = bias_of_quad(bias, 4 * i, p);
            value = make_float4(value.x + b.x, value.y + b.y, value.z + b.z,
                                value.w + b.w);
        }
        ((float4 *)y)[i] = rectified ? relu_quad(value) : value;
    }
    if (tail < (unsigned)n) {
        float value = bias ? x[tail] + bias[channel_of(tail, p)] : x[tail];
        y[tail] = rectified ? relu(value) : value;
    }
}

/** Launch it.  @param d_bias  or NULL: none, and no shape then */
static int launch_bias_relu(const float *d_x, const float *d_bias, float *d_y,
                            int n, struct planes p, int rectified)
{
    unsigned blocks = 0;
    cudaError_t err;

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    err = grid_stride_blocks(&blocks, (size_t)n / 4, THREADS);
    if (err) return err;
    bias_relu_quads<<<blocks, THREADS>>>(d_x, d_bias, d_y, n, p, rectified);
    return CUDA_CHECK(cudaGetLastError());
}

// END SOLUTION
int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y)
{
    struct planes p;
    int n = shape_count(shape, &p);

// BEGIN SOLUTION
    return launch_bias_relu(d_x, d_bias, d_y, n, p, 0);
// HANDOUT
//     if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
//     /* TODO 1: a kernel, a thread an element; channel_of(i, p) helps */
//     return cudaErrorNotSupported;
// END SOLUTION
}

int relu_forward(const float *d_x, float *d_y, int n)
{
// BEGIN SOLUTION
    const struct planes none = {0, 0, 0};

    return launch_bias_relu(d_x, NULL, d_y, n, none, 1);
// HANDOUT
//     if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
//     /* TODO 2: likewise, with relu() */
//     return cudaErrorNotSupported;
// END SOLUTION
}

int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y)
{
    struct planes p;
    int n = shape_count(shape, &p);

// BEGIN SOLUTION
    return launch_bias_relu(d_x, d_bias, d_y, n, p, 1);
// HANDOUT
//     if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
//     /* TODO 2: call the two, or make one kernel of both */
//     return cudaErrorNotSupported;
// END SOLUTION
}

// BEGIN SOLUTION
/** Owned and read like bias_relu_quads; y_grad may be x_grad. */
__global__ void relu_grad_quads(const float *y, const float *y_grad,
                                float *x_grad, int n)
{
    const unsigned quads = (unsigned)n / 4, t = thread_number();
    const unsigned tail = 4 * quads + t;

    for (unsigned i = t; i < quads; i += gridDim.x * THREADS)
        ((float4 *)x_grad)[i] = relu_grad_quad(((const float4 *)y)[i],
                                               ((const float4 *)y_grad)[i]);
    if (tail < (unsigned)n) x_grad[tail] = relu_grad(y[tail], y_grad[tail]);
}

// END SOLUTION
int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n)
{
    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
// BEGIN SOLUTION
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, (size_t)n / 4, THREADS);

    if (err) return err;
    relu_grad_quads<<<blocks, THREADS>>>(d_y, d_y_grad, d_x_grad, n);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 3: likewise, with relu_grad() */
//     return cudaErrorNotSupported;
// END SOLUTION
}

// BEGIN SOLUTION
/** A thread owns every T-th quad, and the four words made for it are all used;
 *  one further thread owns what is left at the end. */
__global__ void drop_quads(struct dropout how, const float *x, float *y, int n)
{
    const unsigned quads = (unsigned)n / 4, t = thread_number();

    for (unsigned i = t; i < quads; i += gridDim.x * THREADS) {
        uint4 word = dropout_words(i, how);
        float4 value = ((const float4 *)x)[i];
        ((float4 *)y)[i] = make_float4(
            keep(value.x, word.x, how.p), keep(value.y, word.y, how.p),
            keep(value.z, word.z, how.p), keep(value.w, word.w, how.p));
    }
    if (t == 0 && n % 4 > 0) {
        unsigned i = 4 * quads, left = (unsigned)n % 4;
        uint4 word = dropout_words(quads, how);
        y[i] = keep(x[i], word.x, how.p);
        if (left > 1) y[i + 1] = keep(x[i + 1], word.y, how.p);
        if (left > 2) y[i + 2] = keep(x[i + 2], word.z, how.p);
    }
}

// END SOLUTION
int dropout_forward(const struct dropout *how, const float *d_x, float *d_y,
                    int n)
{
    if (n < 0 || !(how->p >= 0 && how->p < 1)) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
// BEGIN SOLUTION
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, (size_t)n / 4, THREADS);

    if (err) return err;
    drop_quads<<<blocks, THREADS>>>(*how, d_x, d_y, n);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 4: dropout_words(): which element has which?  Then keep() */
//     return cudaErrorNotSupported;
// END SOLUTION
}

int dropout_backward(const struct dropout *how, const float *d_y_grad,
                     float *d_x_grad, int n)
{
// BEGIN SOLUTION
    return dropout_forward(how, d_y_grad, d_x_grad, n);
// HANDOUT
//     /* TODO 4: what does the backward do otherwise? */
//     return cudaErrorNotSupported;
// END SOLUTION
}
// BEGIN SOLUTION

#endif
// END SOLUTION

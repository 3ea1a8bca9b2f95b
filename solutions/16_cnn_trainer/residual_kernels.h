/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers that lab 16 does not ask for: average pooling, and the sum of two
 *  layers' outputs, which ends a residual block.  One thread per element. */
#ifndef CNN_TRAINER_RESIDUAL_KERNELS_H
#define CNN_TRAINER_RESIDUAL_KERNELS_H

#include "common/net/layer_kinds.h"
#include "loss_update.h"

/** The windows of average pooling over planes. */
struct windows {
    int planes, h, w, p, q;    /**< images times channels; input and output
                                    sizes */
    int rows, columns, stride; /**< of a window */
};

/** The windows of a layer for n images. */
static inline struct windows windows_of(const struct layer *layer, int n)
{
    return {n * layer->in.channels, layer->in.height, layer->in.width,
            layer->out.height, layer->out.width, layer->rows, layer->columns,
            layer->stride};
}

/** The mean of each window: one thread per output, which reads the whole
 *  window. */
__global__ void avgpool_forward(struct windows x, const float *from, float *to)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t plane = (size_t)x.p * x.q;
    if (i >= x.planes * plane) return;

    const int top = (int)(i % plane / x.q) * x.stride;
    const int left = (int)(i % x.q) * x.stride;
    const float *image = from + i / plane * x.h * x.w;
    float sum = 0;
    for (int y = top; y < top + x.rows; y++)
        for (int at = y * x.w + left; at < y * x.w + left + x.columns; at++)
            sum += image[at];
    to[i] = sum / (x.rows * x.columns);
}

/** The gradient of an input: one thread per input, which reads the gradients of
 *  all windows that contain it. */
__global__ void avgpool_backward(struct windows x, const float *grad, float *to)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t plane = (size_t)x.h * x.w;
    if (i >= x.planes * plane) return;

    const int y = (int)(i % plane / x.w), left = (int)(i % x.w);
    const int low_p = max(0, (y - x.rows + x.stride) / x.stride);
    const int low_q = max(0, (left - x.columns + x.stride) / x.stride);
    const size_t image = i / plane * x.p * x.q;
    float sum = 0;
    for (int p = low_p; p <= min(x.p - 1, y / x.stride); p++)
        for (int q = low_q; q <= min(x.q - 1, left / x.stride); q++)
            sum += grad[image + p * x.q + q];
    to[i] = sum / (x.rows * x.columns);
}

/** to = a + b, one thread per element; `to` may be `a`. */
__global__ void add_forward(const float *a, const float *b, float *to, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = a[i] + b[i];
}

/** Forward pass of such a layer. */
static inline void residual_forward(const struct step *step, int i)
{
    const struct layer *layer = &step->net->layers[i];
    const float *from = i ? step->d_out[i - 1] : step->d_images;
    const size_t n = step->count * shape_elements(&layer->out);

    if (layer->kind == LAYER_AVGPOOL)
        avgpool_forward<<<blocks_for(n), THREADS>>>(
            windows_of(layer, step->count), from, step->d_out[i]);
    else
        add_forward<<<blocks_for(n), THREADS>>>(
            from,
            layer->source < 0 ? step->d_images : step->d_out[layer->source],
            step->d_out[i], n);
}

/** Backward pass of such a layer, to the layer before it. */
static inline void residual_backward(const struct step *step, int i)
{
    const struct layer *layer = &step->net->layers[i];
    const size_t n = step->count * shape_elements(&layer->in);

    if (i == 0) return;
    if (layer->kind == LAYER_AVGPOOL)
        avgpool_backward<<<blocks_for(n), THREADS>>>(
            windows_of(layer, step->count), step->d_out_grad[i],
            step->d_out_grad[i - 1]);
    else
        cudaMemcpyAsync(step->d_out_grad[i - 1], step->d_out_grad[i],
                        n * sizeof(float), cudaMemcpyDeviceToDevice);
}

/** The gradient with respect to layer i's output is complete except for the
 *  sums that it is an operand of: add their gradients. */
static inline void add_shortcuts(const struct step *step, int i)
{
    const struct network *net = step->net;

    if (i < 0 || !net->layers[i].is_source) return;
    for (int j = i + 1; j < net->count; j++) {
        const size_t n = step->count * shape_elements(&net->layers[j].out);
        if (net->layers[j].kind == LAYER_ADD && net->layers[j].source == i)
            add_forward<<<blocks_for(n), THREADS>>>(
                step->d_out_grad[i], step->d_out_grad[j], step->d_out_grad[i],
                n);
    }
}

extern "C" unsigned train_layer_kinds(void)
{
    return NETWORK_BASIC_KINDS | 1u << LAYER_AVGPOOL | 1u << LAYER_ADD;
}

#endif

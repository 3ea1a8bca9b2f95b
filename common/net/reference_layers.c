/* SPDX-License-Identifier: MIT */
/* See reference_layers.h.  Forward and backward pass of convolutions and dense
 * layers visit the same products: for_each_product() enumerates them once. */
#include "reference_layers.h"

#include <math.h>
#include <string.h>

#include "step.h"

/* Visitor of the product of a weight with an input element that is accumulated
 * into an output element. */
typedef void product(void *context, size_t weight, size_t in, size_t out);

/* Visit each product x[n][i] * W[i][j] of a dense layer. */
static void for_each_dense_product(const struct layer *layer, int n,
                                   product *visit, void *context)
{
    const size_t in = shape_elements(&layer->in);
    const size_t units = (size_t)layer->out.channels;

    for (size_t i = 0; i < in; i++)
        for (size_t j = 0; j < units; j++)
            visit(context, i * units + j, (size_t)n * in + i,
                  (size_t)n * units + j);
}

/* The products of one output element of a convolution; at: filter, row,
 * column. */
static void for_each_convolution_product(const struct layer *layer, int n,
                                         const int at[3], product *visit,
                                         void *context)
{
    const struct image_shape *in = &layer->in, *to = &layer->out;
    const size_t out = (((size_t)n * (size_t)to->channels + (size_t)at[0])
                        * (size_t)to->height + (size_t)at[1])
                       * (size_t)to->width + (size_t)at[2];
    const int window = layer->rows * layer->columns;

    for (int i = 0; i < in->channels * window; i++) {
        const int c = i / window, r = i % window / layer->columns;
        const int y = at[1] * layer->stride - layer->pad + r;
        const int x = at[2] * layer->stride - layer->pad + i % layer->columns;

        if (y >= 0 && y < in->height && x >= 0 && x < in->width)
            visit(context, (size_t)(at[0] * in->channels * window + i),
                  (size_t)(((n * in->channels + c) * in->height + y) * in->width
                           + x),
                  out);
    }
}

/* All products of weights and inputs, by their indices: forward and backward
 * pass differ only in what they add. */
static void for_each_product(const struct layer *layer, int count,
                             product *visit, void *context)
{
    const struct image_shape *to = &layer->out;

    for (int n = 0; n < count; n++) {
        if (layer->kind == LAYER_DENSE) {
            for_each_dense_product(layer, n, visit, context);
            continue;
        }
        for (int i = 0; i < (int)shape_elements(to); i++)
            for_each_convolution_product(
                layer, n,
                (const int[]){i / (to->height * to->width),
                              i / to->width % to->height, i % to->width},
                visit, context);
    }
}

/* The arrays that a visitor accesses. */
struct layer_arrays {
    const double *weights, *in, *out_grad; /* read */
    double *out, *weights_grad, *in_grad;    /* accumulated into */
};

/* y += w x */
static void accumulate_output(void *context, size_t weight, size_t in,
                              size_t out)
{
    const struct layer_arrays *t = context;

    t->out[out] += t->weights[weight] * t->in[in];
}

/* The gradients with respect to weights and inputs. */
static void accumulate_gradients(void *context, size_t weight, size_t in,
                                 size_t out)
{
    const struct layer_arrays *t = context;

    t->weights_grad[weight] += t->out_grad[out] * t->in[in];
    t->in_grad[in] += t->out_grad[out] * t->weights[weight];
}

/* Elements of one output channel. */
static size_t plane_elements(const struct layer *layer)
{
    return (size_t)layer->out.height * (size_t)layer->out.width;
}

/* Convolution or dense layer, starting from the bias. */
static void linear_forward(struct reference *x, const struct layer *layer,
                           const double *in, double *out, int count)
{
    const size_t plane = plane_elements(layer);
    const size_t all = (size_t)count * shape_elements(&layer->out);
    struct layer_arrays t = {
        x->parameters + layer->weight_offset, in, NULL, out, NULL, NULL};

    for (size_t i = 0; i < all; i++)
        out[i] = x->parameters[layer->bias_offset + i / plane % layer->biases];
    for_each_product(layer, count, accumulate_output, &t);
}

/* The bias gradient is the sum of the output gradient. */
static void linear_backward(struct reference *x, const struct layer *layer,
                            const struct layer_arrays *layer_arrays, int count)
{
    const size_t plane = plane_elements(layer);
    const size_t all = (size_t)count * shape_elements(&layer->out);
    struct layer_arrays t = *layer_arrays;

    t.weights = x->parameters + layer->weight_offset;
    t.weights_grad = x->gradients + layer->weight_offset;
    for (size_t i = 0; i < all; i++)
        x->gradients[layer->bias_offset + i / plane % layer->biases] +=
            t.out_grad[i];
    for_each_product(layer, count, accumulate_gradients, &t);
}

/* Index of the largest input element in the window of output i. */
static size_t max_index(const struct layer *layer, const double *in, size_t i)
{
    const size_t width = (size_t)layer->in.width;
    const size_t image = i / plane_elements(layer) * width
                         * (size_t)layer->in.height;
    const size_t y = i % plane_elements(layer) / (size_t)layer->out.width
                     * (size_t)layer->stride;
    const size_t x = i % (size_t)layer->out.width * (size_t)layer->stride;
    size_t best = image + y * width + x;

    for (size_t r = 0; r < (size_t)layer->rows; r++)
        for (size_t s = 0; s < (size_t)layer->columns; s++) {
            const size_t at = image + (y + r) * width + x + s;

            if (in[at] > in[best])
                best = at;
        }
    return best;
}

/* Mean and 1 / standard deviation of a channel. */
static void channel_statistics(const struct reference *x,
                               const struct layer *layer, const double *in,
                               int count, size_t channel, double scale[2])
{
    const size_t at = step_running_stats_offset(
        x->net, (int)(layer - x->net->layers));
    const size_t plane = plane_elements(layer),
                 step = shape_elements(&layer->out);
    const double all = (double)((size_t)count * plane);
    double sum = 0, squares = 0;

    if (x->running) {
        scale[0] = (double)x->running[at + channel];
        scale[1] = 1 / sqrt((double)x->running[at + layer->weights + channel]
                            + 1e-5);
        return;
    }
    for (int n = 0; n < count; n++)
        for (size_t i = 0; i < plane; i++)
            sum += in[(size_t)n * step + channel * plane + i];
    for (int n = 0; n < count; n++)
        for (size_t i = 0; i < plane; i++)
            squares += pow(in[(size_t)n * step + channel * plane + i]
                           - sum / all, 2);
    scale[0] = sum / all;
    scale[1] = 1 / sqrt(squares / all + 1e-5);
}

/* Normalization by the statistics of the batch, channel by channel, then scale
 * and shift. */
static void batchnorm_forward(struct reference *x, const struct layer *layer,
                              const double *in, double *out, int count)
{
    const size_t plane = plane_elements(layer),
                 step = shape_elements(&layer->out);
    double scale[2];

    for (size_t c = 0; c < layer->weights; c++) {
        channel_statistics(x, layer, in, count, c, scale);
        for (size_t i = 0; i < (size_t)count * plane; i++) {
            const size_t at = i / plane * step + c * plane + i % plane;

            out[at] = (in[at] - scale[0]) * scale[1]
                          * x->parameters[layer->weight_offset + c]
                      + x->parameters[layer->bias_offset + c];
        }
    }
}

/* The statistics depend on all inputs of the channel, so each input gradient
 * has the mean terms of both parameter gradients; running statistics do not. */
static void batchnorm_backward(struct reference *x, const struct layer *layer,
                               const struct layer_arrays *t, int count)
{
    const size_t plane = plane_elements(layer),
                 step = shape_elements(&layer->out);
    const double all = (double)((size_t)count * plane);
    double scale[2];

    for (size_t c = 0; c < layer->weights; c++) {
        double scale_grad = 0, bias_grad = 0;

        channel_statistics(x, layer, t->in, count, c, scale);
        for (size_t i = 0; i < (size_t)count * plane; i++) {
            const size_t at = i / plane * step + c * plane + i % plane;

            scale_grad += t->out_grad[at] * (t->in[at] - scale[0]) * scale[1];
            bias_grad += t->out_grad[at];
        }
        x->gradients[layer->weight_offset + c] += scale_grad;
        x->gradients[layer->bias_offset + c] += bias_grad;
        for (size_t i = 0; i < (size_t)count * plane; i++) {
            const size_t at = i / plane * step + c * plane + i % plane;
            const double unit = (t->in[at] - scale[0]) * scale[1];

            t->in_grad[at] = x->parameters[layer->weight_offset + c] * scale[1]
                           * (t->out_grad[at]
                              - (x->running ? 0 : bias_grad
                                                  + unit * scale_grad) / all);
        }
    }
}

/* Visit the inputs of the window of output i of an average pooling. */
static void average_window(const struct layer *layer, size_t i,
                           const double *in, double *out,
                           const double *out_grad, double *in_grad)
{
    const size_t width = (size_t)layer->in.width;
    const size_t stride = (size_t)layer->stride;
    const size_t image = i / plane_elements(layer) * width
                         * (size_t)layer->in.height;
    const size_t y = i % plane_elements(layer) / (size_t)layer->out.width;
    const size_t x = i % (size_t)layer->out.width;
    const double share = 1 / (double)(layer->rows * layer->columns);

    for (size_t r = 0; r < (size_t)layer->rows; r++)
        for (size_t s = 0; s < (size_t)layer->columns; s++) {
            const size_t at = image + (y * stride + r) * width + x * stride + s;

            if (out) out[i] += share * in[at];
            if (in_grad) in_grad[at] += share * out_grad[i];
        }
}

void reference_layer_forward(struct reference *x, int i, const double *in,
                             int count)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t all = (size_t)count * shape_elements(&layer->out);
    const double *other;
    double *out = x->out[i];

    switch (layer->kind) {
    case LAYER_CONV:
    case LAYER_DENSE:
        linear_forward(x, layer, in, out, count);
        break;
    case LAYER_BATCHNORM:
        batchnorm_forward(x, layer, in, out, count);
        break;
    case LAYER_MAXPOOL:
        for (size_t j = 0; j < all; j++) out[j] = in[max_index(layer, in, j)];
        break;
    case LAYER_AVGPOOL:
        memset(out, 0, all * sizeof *out);
        for (size_t j = 0; j < all; j++)
            average_window(layer, j, in, out, NULL, NULL);
        break;
    case LAYER_ADD:
        other = layer->source < 0 ? x->images : x->out[layer->source];
        for (size_t j = 0; j < all; j++) out[j] = in[j] + other[j];
        break;
    case LAYER_RELU:
        for (size_t j = 0; j < all; j++) out[j] = fmax(in[j], 0);
        break;
    case LAYER_DROPOUT: /* the identity: see reference_make() */
        memcpy(out, in, all * sizeof *out);
        break;
    }
}

void reference_layer_backward(struct reference *x, int i, const double *in,
                              double *in_grad, int count)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t all = (size_t)count * shape_elements(&layer->out);
    const double *out_grad = x->out_grad[i];
    const struct layer_arrays t = {
        .in = in, .out_grad = out_grad, .in_grad = in_grad};

    memset(in_grad, 0,
           (size_t)count * shape_elements(&layer->in) * sizeof *in_grad);
    switch (layer->kind) {
    case LAYER_CONV:
    case LAYER_DENSE:
        linear_backward(x, layer, &t, count);
        break;
    case LAYER_BATCHNORM:
        batchnorm_backward(x, layer, &t, count);
        break;
    case LAYER_MAXPOOL:
        for (size_t j = 0; j < all; j++)
            in_grad[max_index(layer, in, j)] += out_grad[j];
        break;
    case LAYER_RELU:
        for (size_t j = 0; j < all; j++)
            in_grad[j] = in[j] > 0 ? out_grad[j] : 0;
        break;
    case LAYER_AVGPOOL:
        for (size_t j = 0; j < all; j++)
            average_window(layer, j, in, NULL, out_grad, in_grad);
        break;
    case LAYER_ADD: /* reference_backward() adds to the other operand */
    case LAYER_DROPOUT:
        memcpy(in_grad, out_grad, all * sizeof *in_grad);
        break;
    }
}

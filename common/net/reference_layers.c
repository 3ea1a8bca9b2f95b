/* SPDX-License-Identifier: MIT */
/* See reference_layers.h.  A convolution's and a dense layer's two directions
 * visit the same products: products() names each once. */
#include "reference_layers.h"

#include <math.h>
#include <string.h>

/* One product of a weight with an input that goes into an output. */
typedef void product(void *with, size_t weight, size_t in, size_t out);

static void dense_products(const struct layer *layer, int n, product *each,
                           void *with)
{
    const size_t in = layer_elements(&layer->in);
    const size_t units = (size_t)layer->out.channels;

    for (size_t i = 0; i < in; i++)
        for (size_t j = 0; j < units; j++)
            each(with, i * units + j, (size_t)n * in + i,
                 (size_t)n * units + j);
}

/* The taps of one output of a convolution. */
static void taps(const struct layer *layer, int n, const int at[3],
                 product *each, void *with)
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
            each(with, (size_t)(at[0] * in->channels * window + i),
                 (size_t)(((n * in->channels + c) * in->height + y)
                          * in->width + x), out);
    }
}

static void products(const struct layer *layer, int count, product *each,
                     void *with)
{
    const struct image_shape *to = &layer->out;

    for (int n = 0; n < count; n++) {
        if (layer->kind == LAYER_DENSE)
            dense_products(layer, n, each, with);
        for (int i = 0; layer->kind == LAYER_CONV
                        && i < (int)layer_elements(to); i++)
            taps(layer, n,
                 (const int[]){i / (to->height * to->width),
                               i / to->width % to->height, i % to->width},
                 each, with);
    }
}

/* The arrays that a product touches. */
struct touched {
    const double *weights, *in, *by_out; /* read */
    double *out, *by_weights, *by_in;    /* added to */
};

static void add_forward(void *with, size_t weight, size_t in, size_t out)
{
    const struct touched *t = with;

    t->out[out] += t->weights[weight] * t->in[in];
}

static void add_back(void *with, size_t weight, size_t in, size_t out)
{
    const struct touched *t = with;

    t->by_weights[weight] += t->by_out[out] * t->in[in];
    t->by_in[in] += t->by_out[out] * t->weights[weight];
}

/* Pixels of a channel of what a layer puts out. */
static size_t plane_of(const struct layer *layer)
{
    return (size_t)layer->out.height * (size_t)layer->out.width;
}

static void weighted(struct reference *x, const struct layer *layer,
                     const double *in, double *out, int count)
{
    const size_t plane = plane_of(layer);
    const size_t all = (size_t)count * layer_elements(&layer->out);
    struct touched t = {x->parameters + layer->weight_at, in, NULL, out, NULL,
                        NULL};

    for (size_t i = 0; i < all; i++)
        out[i] = x->parameters[layer->bias_at + i / plane % layer->biases];
    products(layer, count, add_forward, &t);
}

static void weighted_back(struct reference *x, const struct layer *layer,
                          const struct touched *touched, int count)
{
    const size_t plane = plane_of(layer);
    const size_t all = (size_t)count * layer_elements(&layer->out);
    struct touched t = *touched;

    t.weights = x->parameters + layer->weight_at;
    t.by_weights = x->gradients + layer->weight_at;
    for (size_t i = 0; i < all; i++)
        x->gradients[layer->bias_at + i / plane % layer->biases] +=
            t.by_out[i];
    products(layer, count, add_back, &t);
}

/* Which input element wins the window of output i. */
static size_t winner(const struct layer *layer, const double *in, size_t i)
{
    const size_t width = (size_t)layer->in.width;
    const size_t image = i / plane_of(layer) * width
                         * (size_t)layer->in.height;
    const size_t y = i % plane_of(layer) / (size_t)layer->out.width
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

/* Mean and 1 / deviation of a channel. */
static void scale_of(const struct layer *layer, const double *in, int count,
                     size_t channel, double scale[2])
{
    const size_t plane = plane_of(layer), step = layer_elements(&layer->out);
    const double all = (double)((size_t)count * plane);
    double sum = 0, squares = 0;

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

static void scaled(struct reference *x, const struct layer *layer,
                   const double *in, double *out, int count)
{
    const size_t plane = plane_of(layer), step = layer_elements(&layer->out);
    double scale[2];

    for (size_t c = 0; c < layer->weights; c++) {
        scale_of(layer, in, count, c, scale);
        for (size_t i = 0; i < (size_t)count * plane; i++) {
            const size_t at = i / plane * step + c * plane + i % plane;

            out[at] = (in[at] - scale[0]) * scale[1]
                          * x->parameters[layer->weight_at + c]
                      + x->parameters[layer->bias_at + c];
        }
    }
}

static void scaled_back(struct reference *x, const struct layer *layer,
                        const struct touched *t, int count)
{
    const size_t plane = plane_of(layer), step = layer_elements(&layer->out);
    const double all = (double)((size_t)count * plane);
    double scale[2];

    for (size_t c = 0; c < layer->weights; c++) {
        double along = 0, plain = 0;

        scale_of(layer, t->in, count, c, scale);
        for (size_t i = 0; i < (size_t)count * plane; i++) {
            const size_t at = i / plane * step + c * plane + i % plane;

            along += t->by_out[at] * (t->in[at] - scale[0]) * scale[1];
            plain += t->by_out[at];
        }
        x->gradients[layer->weight_at + c] += along;
        x->gradients[layer->bias_at + c] += plain;
        for (size_t i = 0; i < (size_t)count * plane; i++) {
            const size_t at = i / plane * step + c * plane + i % plane;
            const double unit = (t->in[at] - scale[0]) * scale[1];

            t->by_in[at] = x->parameters[layer->weight_at + c] * scale[1]
                           * (t->by_out[at] - (plain + unit * along) / all);
        }
    }
}

void reference_forward(struct reference *x, int i, const double *in,
                       int count)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t all = (size_t)count * layer_elements(&layer->out);
    double *out = x->out[i];

    if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
        weighted(x, layer, in, out, count);
    else if (layer->kind == LAYER_BATCHNORM)
        scaled(x, layer, in, out, count);
    else
        for (size_t j = 0; j < all; j++)
            out[j] = layer->kind == LAYER_MAXPOOL ? in[winner(layer, in, j)]
                     : layer->kind == LAYER_RELU  ? fmax(in[j], 0)
                                                  : in[j];
}

void reference_layer_back(struct reference *x, int i, const double *in,
                          double *by_in, int count)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t all = (size_t)count * layer_elements(&layer->out);
    const struct touched t = {.in = in, .by_out = x->back[i],
                              .by_in = by_in};

    memset(by_in, 0, (size_t)count * layer_elements(&layer->in)
                         * sizeof *by_in);
    if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
        weighted_back(x, layer, &t, count);
    else if (layer->kind == LAYER_BATCHNORM)
        scaled_back(x, layer, &t, count);
    else
        for (size_t j = 0; j < all; j++) {
            if (layer->kind == LAYER_MAXPOOL)
                by_in[winner(layer, in, j)] += t.by_out[j];
            else if (layer->kind != LAYER_RELU || in[j] > 0)
                by_in[j] = t.by_out[j];
        }
}

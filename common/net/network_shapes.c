/* SPDX-License-Identifier: MIT */
/* From a network's layers and the shape of its input to the shape of each
 * layer, its number of parameters, and where they lie. */
#include <stdarg.h>
#include <stdio.h>

#include "network_shapes.h"

/* State of all functions: the network, and the text for a mistake. */
struct inference {
    struct network *net;
    const char *path;
    struct failure *failure;
};

/* One line about a layer of the file. @return false */
#define FAIL(r, line, ...) \
    network_fail_at((r)->path, line, (r)->failure, __VA_ARGS__)

bool network_fail_at(const char *path, int line, struct failure *failure,
                     const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail(failure, "%s:%d: %s", path, line, text);
}

/* Output size of a sliding window; 0 if the window is larger than its input. */
static int output_size(int in, int window, int stride, int pad)
{
    return in + 2 * pad < window ? 0 : (in + 2 * pad - window) / stride + 1;
}

/* Output size of convolution and pooling.  Padding smaller than the window
 * ensures that each window has an element of the input. */
static bool infer_window_shape(const struct inference *r, struct layer *layer)
{
    const struct image_shape *in = &layer->in;

    if (layer->pad >= layer->rows || layer->pad >= layer->columns)
        return FAIL(r, layer->line, "padding of %d for windows of %d x "
                    "%d", layer->pad, layer->rows, layer->columns);
    layer->out.height =
        output_size(in->height, layer->rows, layer->stride, layer->pad);
    layer->out.width =
        output_size(in->width, layer->columns, layer->stride, layer->pad);
    return (layer->out.height > 0 && layer->out.width > 0) ||
           FAIL(r, layer->line, "%s: windows of %d x %d in %d x %d",
                layer->name, layer->rows, layer->columns, in->height,
                in->width);
}

/* Both operands of a sum have one shape. */
static bool check_sum(const struct inference *r, const struct layer *layer)
{
    const struct image_shape *a = &layer->in;
    const struct image_shape *b = layer->source < 0
                                      ? &r->net->in
                                      : &r->net->layers[layer->source].out;

    return (a->channels == b->channels && a->height == b->height
            && a->width == b->width)
           || FAIL(r, layer->line, "%s adds %d x %d x %d to %d x %d x %d",
                   layer->name, b->channels, b->height, b->width,
                   a->channels, a->height, a->width);
}

/* Output shape and numbers of parameters, from the input shape. */
static bool infer_layer_shape(const struct inference *r, struct layer *layer)
{
    const size_t in = shape_elements(&layer->in);

    layer->out = layer->in;
    switch (layer->kind) {
    case LAYER_CONV:
        if (!infer_window_shape(r, layer)) return false;
        layer->out.channels = layer->units;
        layer->weights = (size_t)layer->units * (size_t)layer->in.channels
                         * (size_t)layer->rows * (size_t)layer->columns;
        break;
    case LAYER_AVGPOOL:
        if (layer->rows == 0) { /* globalpool */
            layer->rows = layer->in.height;
            layer->columns = layer->in.width;
        }
        return infer_window_shape(r, layer);
    case LAYER_MAXPOOL:
        return infer_window_shape(r, layer);
    case LAYER_ADD:
        return check_sum(r, layer);
    case LAYER_BATCHNORM:
        layer->weights = (size_t)layer->in.channels;
        break;
    case LAYER_DENSE:
        if (!layer->units) layer->units = r->net->classes;
        layer->out = (struct image_shape){layer->units, 1, 1};
        layer->weights = in * (size_t)layer->units;
        break;
    case LAYER_RELU:
    case LAYER_DROPOUT:
        return true;
    }
    layer->biases = (size_t)layer->out.channels;
    return true;
}

bool network_infer_shapes(struct network *net, const char *path,
                          struct failure *failure)
{
    const struct inference inference = {net, path, failure}, *r = &inference;
    struct image_shape shape = net->in;

    for (int i = 0; i < net->count; i++) {
        struct layer *layer = &net->layers[i];

        layer->in = shape;
        if (!infer_layer_shape(r, layer)) return false;
        layer->weight_offset = net->parameters;
        layer->bias_offset = net->parameters + layer->weights;
        net->parameters += layer->weights + layer->biases;
        if (net->parameters > (size_t)1 << 30)
            return FAIL(r, layer->line, "more than 2^30 parameters");
        shape = layer->out;
    }
    const struct layer *last = &net->layers[net->count - 1];

    if (last->kind != LAYER_DENSE || last->units != net->classes)
        return FAIL(r, last->line, "the last layer must be dense, with "
                    "%d outputs: one per class", net->classes);
    return true;
}

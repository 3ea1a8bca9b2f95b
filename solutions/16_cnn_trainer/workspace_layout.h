/* SPDX-License-Identifier: MIT */
/** @file
 *  The workspace of step 2.  The data of each image are together, so that the
 *  layout of the first images is the same for a smaller batch: the zeros of the
 *  padding are written only once, when the whole memory is cleared. */
#ifndef CNN_TRAINER_WORKSPACE_LAYOUT_H
#define CNN_TRAINER_WORKSPACE_LAYOUT_H

#include "cnn_trainer.h"
#include "loss_update.h"

/** A layer with weights, as a convolution. */
struct shape {
    int c, h, w;     /**< channels, rows and columns of inputs */
    int k, r, s;     /**< filters, their rows and columns */
    int p, q;        /**< rows and columns of outputs */
    int stride, pad; /**< of the windows */
};

/** The buffers of a layer. */
struct layer_buffers {
    struct shape shape;  /**< its sizes */
    struct packed_weights forward, back; /**< its weights for both directions */
    struct view image;   /**< padded input, if it has padding: first pixel */
    struct view padded_input; /**< the same from the padding on, by position */
    struct view grad;    /**< gradient of outputs, by position */
    struct view padded_grad;  /**< the same with padding and dilation */
};

/** All buffers. */
struct work {
    struct layer_buffers layer_buffers[NETWORK_MAX_LAYERS]; /**< of layers with
                                                                 weights */
    struct splits splits; /**< for one layer at a time */
    float *scratch;      /**< see optimizer_step() */
    float *channel_sums; /**< see struct scale: for one layer at a time */
    int *channel_tickets; /**< likewise, all 0 */
    struct view scores, tickets; /**< see struct loss_args */
};

/** An arena allocator. */
struct arena {
    float *first; /**< its start */
    size_t used;  /**< floats allocated */
};

static inline float *arena_alloc(struct arena *arena, size_t floats)
{
    float *const at = arena->first + arena->used;
    arena->used += (floats + 15) / 16 * 16;
    return at;
}

static inline bool has_weights(const struct layer *layer)
{
    return layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE;
}

static inline struct shape shape_of(const struct layer *layer)
{
    if (layer->kind == LAYER_DENSE)
        return {(int)shape_elements(&layer->in), 1, 1, layer->out.channels,
                1, 1, 1, 1, 1, 0};
    return {layer->in.channels, layer->in.height, layer->in.width,
            layer->out.channels, layer->rows, layer->columns,
            layer->out.height, layer->out.width, layer->stride, layer->pad};
}

/** Allocate the buffers of a layer that do not depend on the number of images.
 */
static inline void alloc_weights(struct arena *arena,
                                 struct layer_buffers *layer_buffers)
{
    const struct shape &x = layer_buffers->shape;
    const size_t plane = (size_t)x.r * x.s, taps = x.c * plane;
    const size_t back_taps = round_up(x.k) * plane;
    layer_buffers->forward.packed = arena_alloc(arena, taps * round_up(x.k));
    layer_buffers->back.packed = arena_alloc(arena, back_taps * round_up(x.c));
    layer_buffers->forward.taps = (int *)arena_alloc(arena, taps);
    layer_buffers->back.taps = (int *)arena_alloc(arena, back_taps);
}

static inline int max_of(int a, int b)
{
    return a > b ? a : b;
}

/** Allocate the buffers of one image: its padded input, if the layer has
 *  padding, and the gradient of its outputs with the zeros that the backward
 *  pass needs. */
static inline void alloc_image(struct arena *arena,
                               struct layer_buffers *layer_buffers)
{
    const struct shape &x = layer_buffers->shape;
    const int padded_height = x.h + 2 * x.pad, padded_width = x.w + 2 * x.pad;
    layer_buffers->forward.channel_stride = padded_height * padded_width;
    layer_buffers->forward.row_stride = padded_width;
    layer_buffers->forward.column_stride = 1;
    if (x.pad) {
        float *const at =
            arena_alloc(arena, (size_t)x.c * padded_height * padded_width);
        layer_buffers->padded_input = {at, 0, x.stride * padded_width, x.stride,
                               padded_height * padded_width};
        layer_buffers->image = {at + x.pad * padded_width + x.pad, 0,
                                padded_width, 1, padded_height * padded_width};
    }
    const int top = x.r - 1 - x.pad, left = x.s - 1 - x.pad;
    const int up = top < 0 ? -top : 0, over = left < 0 ? -left : 0;
    const int rows = max_of(up + x.h + x.r - 1,
                            max_of(top, 0) + (x.p - 1) * x.stride + 1);
    const int columns = max_of(over + x.w + x.s - 1,
                               max_of(left, 0) + (x.q - 1) * x.stride + 1);
    const int wide = round_up(x.k), row = columns * wide;
    float *const at = arena_alloc(arena, (size_t)rows * row);
    layer_buffers->padded_grad = {at + up * row + over * wide, 0, row, wide, 1};
    layer_buffers->grad = {at + max_of(top, 0) * row + max_of(left, 0) * wide,
                           0, x.stride * row, x.stride * wide, 1};
    layer_buffers->back.channel_stride = 1;
    layer_buffers->back.row_stride = row;
    layer_buffers->back.column_stride = wide;
}

/** Lay out the workspace.
 *  @return  its bytes */
static inline size_t workspace_layout(const struct network *net, int batch,
                                      void *memory, struct work *work)
{
    struct arena arena = {(float *)memory, 0};
    int channels = 0;
    *work = {};
    for (int i = 0; i < net->count; i++) {
        if (net->layers[i].kind == LAYER_BATCHNORM)
            channels = max_of(channels, net->layers[i].in.channels);
        if (!has_weights(&net->layers[i])) continue;
        work->layer_buffers[i].shape = shape_of(&net->layers[i]);
        alloc_weights(&arena, &work->layer_buffers[i]);
    }
    work->splits.count = 1;
    work->splits.sums = arena_alloc(&arena, SPLIT_BLOCKS * SPLIT_FLOATS);
    work->splits.tickets = (int *)arena_alloc(&arena, SPLIT_BLOCKS);
    work->scratch = arena_alloc(&arena, SCRATCH);
    work->channel_sums = arena_alloc(&arena, (size_t)2 * PARTS * channels);
    work->channel_tickets = (int *)arena_alloc(&arena, channels);
    const size_t before = arena.used;
    for (int i = 0; i < net->count; i++)
        if (has_weights(&net->layers[i]))
            alloc_image(&arena, &work->layer_buffers[i]);
    work->scores.first = arena_alloc(&arena, 2);
    work->tickets.first = arena_alloc(&arena, 1);
    const size_t image = arena.used - before;
    work->scores.image_stride = work->tickets.image_stride = image;
    for (int i = 0; i < net->count; i++) {
        struct layer_buffers *layer_buffers = &work->layer_buffers[i];
        layer_buffers->image.image_stride =
            layer_buffers->padded_input.image_stride = image;
        layer_buffers->grad.image_stride =
            layer_buffers->padded_grad.image_stride = image;
    }
    return (before + image * batch) * sizeof(float);
}

#endif

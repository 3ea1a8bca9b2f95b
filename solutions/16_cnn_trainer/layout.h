/* SPDX-License-Identifier: MIT */
/** @file
 *  The workspace of step 2.  What belongs to images lies image after image,
 *  so that a step of fewer images finds all where it was: borders of zeros
 *  are written once, with the whole memory. */
#ifndef CNN_TRAINER_LAYOUT_H
#define CNN_TRAINER_LAYOUT_H

#include "cnn_trainer.h"
#include "finish.h"

/** A layer with weights as a convolution. */
struct shape {
    int c, h, w;        /**< channels, rows and columns of inputs */
    int k, r, s;        /**< filters, their rows and columns */
    int p, q;           /**< rows and columns of outputs */
    int stride, pad;    /**< of the filters */
};

/** A layer's arrays. */
struct slot {
    struct shape shape;  /**< its sizes */
    struct way forward, back; /**< its weights both ways */
    struct view image;   /**< input with a border, if it needs one: inside */
    struct view edge;    /**< likewise: from the border on, by position */
    struct view grad;    /**< gradient by outputs, by position */
    struct view around;  /**< likewise: with what lies round it and between */
    int *tickets;        /**< see struct gather */
};

/** All of it. */
struct work {
    struct slot slot[NETWORK_LAYERS]; /**< of layers with weights */
    float *part;         /**< see struct gather: one layer's at a time */
    float *factor;       /**< see shorten() */
    int *last;           /**< see struct verdict */
    struct view scores, tickets; /**< likewise */
};

/** Memory that is parted. */
struct arena {
    float *first; /**< where it begins */
    size_t used;  /**< floats */
};

static inline float *take(struct arena *arena, size_t floats)
{
    float *const at = arena->first + arena->used;
    arena->used += (floats + 15) / 16 * 16;
    return at;
}

static inline bool weighted(const struct layer *layer)
{
    return layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE;
}

static inline struct shape shape_of(const struct layer *layer)
{
    if (layer->kind == LAYER_DENSE)
        return {(int)layer_elements(&layer->in), 1, 1, layer->out.channels,
                1, 1, 1, 1, 1, 0};
    return {layer->in.channels, layer->in.height, layer->in.width,
            layer->out.channels, layer->rows, layer->columns,
            layer->out.height, layer->out.width, layer->stride, layer->pad};
}

/** Slices of a gradient by weights, for any number of images. */
static inline int slices_of(const struct shape *x)
{
    const int wanted = x->p * x->q / 8;
    return wanted < 1 ? 1 : wanted < 32 ? wanted : 32;
}

/** What does not depend on the number of images.
 *  @return floats of `part` */
static inline size_t take_weights(struct arena *arena, struct slot *slot)
{
    const struct shape &x = slot->shape;
    const size_t plane = (size_t)x.r * x.s, taps = x.c * plane;
    const size_t rows = whole((int)taps) + WIDE;
    slot->forward.packed = take(arena, taps * whole(x.k));
    slot->back.packed = take(arena, x.k * plane * whole(x.c));
    slot->forward.taps = (int *)take(arena, taps);
    slot->back.taps = (int *)take(arena, x.k * plane);
    slot->tickets = (int *)take(arena, rows / TALL * (whole(x.k) / WIDE));
    return slices_of(&x) * rows * whole(x.k);
}

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

/** An image's part: its input with a border, if the layer pads, and the
 *  gradient by its outputs with what the way back wants around. */
static inline void take_image(struct arena *arena, struct slot *slot)
{
    const struct shape &x = slot->shape;
    const int tall = x.h + 2 * x.pad, broad = x.w + 2 * x.pad;
    slot->forward.channel = tall * broad;
    slot->forward.row = broad;
    slot->forward.column = 1;
    if (x.pad) {
        float *const at = take(arena, (size_t)x.c * tall * broad);
        slot->edge = {at, 0, x.stride * broad, x.stride, tall * broad};
        slot->image = {at + x.pad * broad + x.pad, 0, broad, 1, tall * broad};
    }
    const int top = x.r - 1 - x.pad, left = x.s - 1 - x.pad;
    const int up = top < 0 ? -top : 0, over = left < 0 ? -left : 0;
    const int rows = larger(up + x.h + x.r - 1,
                            larger(top, 0) + (x.p - 1) * x.stride + 1);
    const int columns = larger(over + x.w + x.s - 1,
                               larger(left, 0) + (x.q - 1) * x.stride + 1);
    const int wide = whole(x.k), row = columns * wide;
    float *const at = take(arena, (size_t)rows * row);
    slot->around = {at + up * row + over * wide, 0, row, wide, 1};
    slot->grad = {at + larger(top, 0) * row + larger(left, 0) * wide, 0,
                  x.stride * row, x.stride * wide, 1};
    slot->back.channel = 1;
    slot->back.row = row;
    slot->back.column = wide;
}

/** Lay the workspace out; @return its bytes. */
static inline size_t lay_out(const struct network *net, int batch,
                             void *memory, struct work *work)
{
    struct arena arena = {(float *)memory, 0};
    size_t part = 0;
    *work = {};
    for (int i = 0; i < net->count; i++) {
        if (!weighted(&net->layers[i])) continue;
        work->slot[i].shape = shape_of(&net->layers[i]);
        const size_t own = take_weights(&arena, &work->slot[i]);
        if (own > part) part = own;
    }
    work->part = take(&arena, part);
    work->factor = take(&arena, 1);
    work->last = (int *)take(&arena, 1);
    const size_t before = arena.used;
    for (int i = 0; i < net->count; i++)
        if (weighted(&net->layers[i])) take_image(&arena, &work->slot[i]);
    work->scores.first = take(&arena, 2);
    work->tickets.first = take(&arena, 1);
    const size_t image = arena.used - before;
    work->scores.image = work->tickets.image = image;
    for (int i = 0; i < net->count; i++) {
        struct slot *slot = &work->slot[i];
        slot->image.image = slot->edge.image = image;
        slot->grad.image = slot->around.image = image;
    }
    return (before + image * batch) * sizeof(float);
}

#endif

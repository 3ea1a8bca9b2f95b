/* SPDX-License-Identifier: MIT */
/** @file
 *  A step of step 2 as its launches need it: its state, which layers one kernel
 *  computes together, and the arguments of the kernels.  Nothing is launched
 *  here. */
#ifndef CNN_TRAINER_FUSED_PASS_H
#define CNN_TRAINER_FUSED_PASS_H

#include "workspace_layout.h"

/** The state of a step. */
struct pass {
    const struct step *step;   /**< its arrays */
    const struct network *net; /**< the step's network */
    struct work work;          /**< buffers in d_workspace */
    bool training;             /**< training or evaluation */
    int ready; /**< the layer whose input, or whose output gradient, is
                    already in its padded layout */
};

static inline bool is_kind(const struct network *net, int i,
                           enum layer_kind kind)
{
    return i >= 0 && i < net->count && net->layers[i].kind == kind;
}

static inline bool has_weights_at(const struct network *net, int i)
{
    return i >= 0 && i < net->count && has_weights(&net->layers[i]);
}

/** Does a layer of this kind follow layer i, and nothing else read the output
 *  of layer i? */
static inline bool is_chained(const struct network *net, int i,
                              enum layer_kind kind)
{
    return is_kind(net, i + 1, kind) && !net->layers[i].is_source;
}

/** Does the epilogue of convolution i compute ReLU and pooling?  Windows must
 *  be 2 x 2 with stride 2, and a layer with weights must follow. */
static inline bool fuses_pooling(const struct network *net, int i)
{
    return is_kind(net, i, LAYER_CONV) && is_chained(net, i, LAYER_RELU)
           && is_chained(net, i + 1, LAYER_MAXPOOL)
           && net->layers[i + 2].rows == 2 && net->layers[i + 2].stride == 2
           && !net->layers[i + 2].is_source && has_weights_at(net, i + 3);
}

/** Does the last dense layer also compute the loss? */
static inline bool fuses_loss(const struct network *net, int i)
{
    return i == net->count - 1 && is_kind(net, i, LAYER_DENSE);
}

static inline const float *input_of(const struct pass *pass, int i)
{
    return i ? pass->step->d_out[i - 1] : pass->step->d_images;
}

/** The inputs of a layer by position; only loaded. */
static inline struct view inputs_of(const struct pass *pass, int i)
{
    const struct layer_buffers *layer_buffers = &pass->work.layer_buffers[i];
    const struct shape &x = layer_buffers->shape;
    if (layer_buffers->padded_input.first) return layer_buffers->padded_input;
    return {(float *)input_of(pass, i), (size_t)x.c * x.h * x.w,
            x.stride * x.w, x.stride, x.h * x.w};
}

static inline const float *weights_of(const struct pass *pass, int i)
{
    return pass->step->d_parameters + pass->net->layers[i].weight_offset;
}

/** Are a layer's weights stored as the forward pass needs them: by tap, in rows
 *  of round_up(k) floats, aligned to 16 bytes? */
static inline bool has_packed_rows(const struct pass *pass, int i)
{
    const int k = pass->work.layer_buffers[i].shape.k;

    return is_kind(pass->net, i, LAYER_DENSE) && round_up(k) == k
           && (uintptr_t)weights_of(pass, i) % sizeof(float4) == 0;
}

/** The weights of a layer for the forward pass. */
static inline const float *forward_weights(const struct pass *pass, int i)
{
    return has_packed_rows(pass, i)
               ? weights_of(pass, i)
               : pass->work.layer_buffers[i].forward.packed;
}

/** Copy a layer's input to a buffer with padding. */
static inline struct relayout relayout_input(const struct pass *pass, int i)
{
    const struct layer_buffers *layer_buffers = &pass->work.layer_buffers[i];
    const struct shape &x = layer_buffers->shape;
    struct relayout all = {};
    if (!has_weights_at(pass->net, i) || !layer_buffers->image.first)
        return all;
    all.from = input_of(pass, i);
    all.to = layer_buffers->image;
    all.n = pass->step->count;
    all.c = x.c;
    all.h = x.h;
    all.w = x.w;
    return all;
}

/** The arguments of the loss in the last dense layer. */
static inline struct loss_args loss_args_of(const struct pass *pass, int i)
{
    const struct step *step = pass->step;
    struct loss_args v = {};
    if (!fuses_loss(pass->net, i)) return v;
    v.labels = step->d_labels;
    v.predicted = step->d_predicted;
    v.totals = step->d_totals;
    if (pass->training) v.grad = pass->work.layer_buffers[i].grad;
    v.scores = pass->work.scores;
    v.tickets = pass->work.tickets;
    return v;
}

static inline struct pool pool_of(const struct layer *layer, int n)
{
    return {n * layer->in.channels, layer->in.height, layer->in.width,
            layer->out.height, layer->out.width, layer->rows, layer->stride};
}

static inline struct scale scale_of(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const float *parameters = pass->step->d_parameters;
    return {pass->step->count,
            layer->in.channels,
            layer->in.height * layer->in.width,
            input_of(pass, i),
            parameters + layer->weight_offset,
            parameters + layer->bias_offset,
            NULL,
            pass->step->d_running_stats
                + step_running_stats_offset(pass->net, i),
            pass->step->d_saved[i],
            (float2 *)pass->work.channel_sums,
            pass->work.channel_tickets};
}

/** The seed of dropout in layer i. */
static inline uint64_t seed_of(const struct pass *pass, int i)
{
    return pass->step->seed ^ (uint64_t)(i + 1) * 0x632be59bd9b4e019u;
}

/** The arguments of the gradient with respect to a layer's weights. */
static inline struct wgrad wgrad_of(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct layer_buffers *layer_buffers = &pass->work.layer_buffers[i];
    const struct shape &x = layer_buffers->shape;
    return {inputs_of(pass, i),
            layer_buffers->grad,
            layer_buffers->forward.taps,
            x.c * x.r * x.s,
            pass->step->count,
            x.p,
            x.q,
            x.k,
            wgrad_columns(x.c, x.k, layer->kind == LAYER_DENSE),
            pass->work.splits,
            pass->step->d_gradients + layer->weight_offset,
            pass->step->d_gradients + layer->bias_offset,
            layer->kind == LAYER_DENSE};
}

#endif

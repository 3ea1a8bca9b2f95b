/* SPDX-License-Identifier: MIT */
/* See attack_network.h.
 *
 * A training step is the only pass that computes gradients, and in a training
 * step batch normalization uses the statistics of the batch.  When the network
 * predicts, it multiplies each channel by a constant and adds another one:
 * a convolution of 1 x 1 with a diagonal matrix, which it is replaced by. */
#include "attack_network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/net/network_shapes.h"

/* Added to a variance: see layers.h of lab 12; PyTorch's default, too. */
static const double variance_epsilon = 1e-5;

/* Put a dropout layer before all others.  The image of a sum is now that
 * layer's output. */
static void insert_first(struct network *net)
{
    memmove(net->layers + 1, net->layers,
            (size_t)net->count * sizeof *net->layers);
    net->count++;
    net->layers[0] = (struct layer){.kind = LAYER_DROPOUT, .name = "image",
                                    .source = -1};
    for (int i = 1; i < net->count; i++) {
        struct layer *layer = &net->layers[i];

        layer->source++;
        if (layer->kind == LAYER_ADD && layer->source == 0)
            net->layers[0].is_source = true;
    }
}

/* The layers as they are when the network predicts. */
static void replace_layers(struct network *net)
{
    for (int i = 0; i < net->count; i++) {
        struct layer *layer = &net->layers[i];

        layer->drop = 0;
        if (layer->kind != LAYER_BATCHNORM)
            continue;
        layer->kind = LAYER_CONV;
        layer->rows = layer->columns = layer->stride = 1;
        layer->pad = 0;
        layer->units = layer->in.channels;
    }
}

/* Weights and biases of the convolution that replaces batch normalization. */
static void copy_batchnorm(const struct checkpoint *from, int i,
                           const struct checkpoint *to,
                           const struct layer *conv)
{
    const struct layer *norm = &from->net->layers[i];
    const float *scale = from->parameters + norm->weight_offset;
    const float *shift = from->parameters + norm->bias_offset;
    const size_t channels = norm->weights;
    const float *mean = from->running
                        + step_running_stats_offset(from->net, i);

    for (size_t c = 0; c < channels; c++) {
        const double factor = (double)scale[c]
                              / sqrt((double)mean[channels + c]
                                     + variance_epsilon);

        to->parameters[conv->weight_offset + c * channels + c] = (float)factor;
        to->parameters[conv->bias_offset + c] =
            (float)((double)shift[c] - (double)mean[c] * factor);
    }
}

/* Layer i of `from` is layer i + 1 of `to`. */
static void copy_parameters(const struct checkpoint *from,
                            struct checkpoint *to)
{
    memcpy(to->mean, from->mean, sizeof from->mean);
    memcpy(to->std, from->std, sizeof from->std);
    for (int i = 0; i < from->net->count; i++) {
        const struct layer *old = &from->net->layers[i];
        const struct layer *new = &to->net->layers[i + 1];

        if (old->kind == LAYER_BATCHNORM) {
            copy_batchnorm(from, i, to, new);
            continue;
        }
        memcpy(to->parameters + new->weight_offset,
               from->parameters + old->weight_offset,
               old->weights * sizeof(float));
        memcpy(to->parameters + new->bias_offset,
               from->parameters + old->bias_offset,
               old->biases * sizeof(float));
    }
}

bool attack_network_make(struct model *model, struct failure *failure)
{
    struct network *old = malloc(sizeof *old);
    struct checkpoint *from = model->state;
    bool ok;

    if (!old)
        return fail(failure, "no memory for the network");
    *old = model->net;
    from->net = old;
    ok = old->count < NETWORK_MAX_LAYERS
         || fail(failure, "%s: attack needs a layer more than %d layers",
                 old->name, NETWORK_MAX_LAYERS);
    if (ok) {
        insert_first(&model->net);
        replace_layers(&model->net);
        model->net.training.optimizer = OPTIMIZER_SGD;
        ok = network_infer_shapes(&model->net, old->name, failure);
    }
    if (ok) {
        model->state = checkpoint_allocate(&model->net);
        ok = model->state || fail(failure, "no memory for the network");
    }
    if (ok)
        copy_parameters(from, model->state);
    if (model->state != from)
        checkpoint_free(from);
    free(old);
    return ok;
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  The buffers of step 1 in d_workspace, and its layers as shapes of the labs.
 */
#ifndef CNN_TRAINER_WORKSPACE_H
#define CNN_TRAINER_WORKSPACE_H

#include "cnn_trainer.h"
#include "labs/11_conv_layer/conv_layer.h"
#include "labs/12_layers/layers.h"
#include "labs/15_optimizers/optimizers.h"

/** Buffers in d_workspace. */
enum part {
    WEIGHTS,     /**< parameters of a layer, aligned */
    BIASES,
    WEIGHT_GRADS,
    BIAS_GRADS,
    MEANS,       /**< running statistics of batch normalization */
    VARIANCES,
    BATCH_MEANS, /**< mean of the batch, and 1 / standard deviation */
    BATCH_SCALES,
    TRANSPOSED, /**< transposed input or weights of a dense layer */
    DISCARDED,  /**< a gradient that is not needed */
    LOSSES,     /**< one per image, then their mean */
    NORM,       /**< of the gradient, and the gradient scale */
    SCRATCH,    /**< workspace of conv_layer and clip_grad_norm */
    PARTS
};

/** Address of each buffer; during the layout its size. */
struct work {
    size_t floats[PARTS];   /**< of each buffer */
    float *d_buffer[PARTS]; /**< first element */
};

inline struct conv_shape conv_of(const struct layer *layer, int n)
{
    return {n, layer->in.channels, layer->in.height, layer->in.width,
            layer->out.channels, layer->rows, layer->columns, layer->stride,
            layer->pad};
}

inline struct layer_shape shape_of(const struct image_shape *shape, int n)
{
    return {n, shape->channels, shape->height, shape->width};
}

inline struct pool_shape pool_of(const struct layer *layer, int n)
{
    return {n, layer->in.channels, layer->in.height, layer->in.width,
            layer->rows, layer->stride, 0};
}

inline void grow_to(size_t *floats, size_t wanted)
{
    if (*floats < wanted) *floats = wanted;
}

inline void measure_layer(const struct layer *layer, int batch, size_t *floats)
{
    const struct conv_shape conv = conv_of(layer, batch);
    const size_t in = shape_elements(&layer->in);

    for (int part = WEIGHTS; part <= BATCH_SCALES; part++)
        grow_to(&floats[part], part == WEIGHTS || part == WEIGHT_GRADS
                                   ? layer->weights
                                   : layer->biases);
    if (layer->kind == LAYER_CONV)
        grow_to(&floats[SCRATCH], conv_workspace(&conv) / sizeof(float) + 1);
    if (layer->kind == LAYER_DENSE)
        grow_to(&floats[TRANSPOSED],
                batch * in > layer->weights ? batch * in : layer->weights);
}

/** @return bytes of the workspace */
inline size_t workspace_layout(const struct network *net, int batch,
                               void *memory, struct work *work)
{
    size_t used = 0;

    *work = {};
    work->floats[DISCARDED] = (size_t)batch * net->classes;
    if (net->layers[0].kind == LAYER_BATCHNORM)
        grow_to(&work->floats[DISCARDED], batch * shape_elements(&net->in));
    work->floats[LOSSES] = batch + 1;
    work->floats[NORM] = 2;
    work->floats[SCRATCH] = CLIP_WORKSPACE(net->parameters);
    for (int i = 0; i < net->count; i++)
        measure_layer(&net->layers[i], batch, work->floats);
    for (int part = 0; part < PARTS; part++) {
        work->d_buffer[part] = (float *)memory + used;
        used += (work->floats[part] + 63) / 64 * 64;
    }
    return used * sizeof(float);
}

#endif

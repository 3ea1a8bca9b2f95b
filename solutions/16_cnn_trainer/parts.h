/* SPDX-License-Identifier: MIT */
/** @file
 *  What step 1 keeps in d_work, and its layers as the labs' shapes. */
#ifndef CNN_TRAINER_PARTS_H
#define CNN_TRAINER_PARTS_H

#include "cnn_trainer.h"
#include "labs/11_conv_layer/conv_layer.h"
#include "labs/12_layers/layers.h"
#include "labs/15_optimizers/optimizers.h"

/** Parts of d_work. */
enum part {
    WEIGHTS,     /**< a layer's parameters, aligned */
    BIASES,
    WEIGHT_GRADS,
    BIAS_GRADS,
    MEANS,       /**< batchnorm's running ones */
    VARIANCES,
    BATCH_MEANS, /**< the batch's own, and 1 / deviation */
    BATCH_SCALES,
    TURNED,      /**< transposed input or weights of a dense layer */
    UNREAD,      /**< a gradient that nobody asks for */
    LOSSES,      /**< an image each, then the mean */
    NORM,        /**< of the gradient, and the scale that it asks for */
    OTHER,       /**< what conv_layer and clip_norm work in */
    PARTS
};

/** Where each part is; its floats while it is being measured. */
struct work {
    size_t floats[PARTS]; /**< of each */
    float *d_part[PARTS]; /**< where it begins */
};

inline struct conv_shape conv_of(const struct layer *layer, int n)
{
    return {n, layer->in.channels, layer->in.height, layer->in.width,
            layer->out.channels, layer->rows, layer->columns, layer->stride,
            layer->pad};
}

inline struct layer_shape shape_of(const struct image_shape *shape,
                                          int n)
{
    return {n, shape->channels, shape->height, shape->width};
}

inline struct pool_shape pool_of(const struct layer *layer, int n)
{
    return {n, layer->in.channels, layer->in.height, layer->in.width,
            layer->rows, layer->stride, 0};
}

inline void at_least(size_t *floats, size_t wanted)
{
    if (*floats < wanted) *floats = wanted;
}

inline void measure(const struct layer *layer, int batch,
                           size_t *floats)
{
    const struct conv_shape conv = conv_of(layer, batch);
    const size_t in = layer_elements(&layer->in);

    for (int part = WEIGHTS; part <= BATCH_SCALES; part++)
        at_least(&floats[part],
                 part == WEIGHTS || part == WEIGHT_GRADS ? layer->weights
                                                         : layer->biases);
    if (layer->kind == LAYER_CONV)
        at_least(&floats[OTHER], conv_workspace(&conv) / sizeof(float) + 1);
    if (layer->kind == LAYER_DENSE)
        at_least(&floats[TURNED], batch * in > layer->weights
                                      ? batch * in : layer->weights);
}

/** @return bytes of the workspace */
inline size_t lay_out(const struct network *net, int batch,
                             void *memory, struct work *work)
{
    size_t used = 0;

    *work = {};
    work->floats[UNREAD] = (size_t)batch * net->classes;
    if (net->layers[0].kind == LAYER_BATCHNORM)
        at_least(&work->floats[UNREAD], batch * layer_elements(&net->in));
    work->floats[LOSSES] = batch + 1;
    work->floats[NORM] = 2;
    work->floats[OTHER] = CLIP_WORK(net->parameters);
    for (int i = 0; i < net->count; i++)
        measure(&net->layers[i], batch, work->floats);
    for (int part = 0; part < PARTS; part++) {
        work->d_part[part] = (float *)memory + used;
        used += (work->floats[part] + 63) / 64 * 64;
    }
    return used * sizeof(float);
}

#endif

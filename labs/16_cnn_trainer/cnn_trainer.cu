/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, step 1: what the labs before made, one function after another:
 *  transpose (03), fast_gemm (08), conv_layer (11), layers (12) and optimizers
 *  (15).  Those want their arrays aligned, and in the flat array of parameters
 *  a layer begins anywhere: each layer's are copied to d_work and back.  The
 *  contract is in cnn_trainer.h. */
#include <cuda_runtime.h>

#include "labs/03_transpose/transpose.h"
#include "labs/08_fast_gemm/fast_gemm.h"
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

/** A step on its way: `status` is the first error. */
struct pass {
    const struct step *step; /**< its arrays */
    struct work work;        /**< laid out */
    bool training;           /**< or evaluation */
    int status;              /**< once it is not 0, nothing more is done */
};

/** Run a lab's function unless one failed before. */
#define RUN(call)                                                             \
    do {                                                                      \
        if (!pass->status) pass->status = (call);                             \
    } while (0)

size_t train_workspace(const struct network *net, int batch)
{
    struct work work;
    return lay_out(net, batch, NULL, &work);
}

static void copy(struct pass *pass, float *to, const float *from, size_t n)
{
    if (n)
        RUN(cudaMemcpyAsync(to, from, n * sizeof *to,
                            cudaMemcpyDeviceToDevice));
}

/** Bring a layer's parameters to where they are aligned. */
inline void fetch(struct pass *pass, const struct layer *layer)
{
    const float *from = pass->step->d_parameters;
    copy(pass, pass->work.d_part[WEIGHTS], from + layer->weight_at,
         layer->weights);
    copy(pass, pass->work.d_part[BIASES], from + layer->bias_at,
         layer->biases);
}

/** Take a layer's gradients to the flat array. */
inline void deliver(struct pass *pass, const struct layer *layer)
{
    float *to = pass->step->d_gradients;
    copy(pass, to + layer->weight_at, pass->work.d_part[WEIGHT_GRADS],
         layer->weights);
    copy(pass, to + layer->bias_at, pass->work.d_part[BIAS_GRADS],
         layer->biases);
}

inline struct batchnorm norm_of(const struct pass *pass)
{
    float *const *d_part = pass->work.d_part;
    return {1e-5f, 0.1f, 0, d_part[WEIGHTS], d_part[BIASES], d_part[MEANS],
            d_part[VARIANCES], d_part[BATCH_MEANS], d_part[BATCH_SCALES],
            d_part[WEIGHT_GRADS], d_part[BIAS_GRADS]};
}

inline struct dropout dropout_of(const struct pass *pass, int i)
{
    return {pass->step->net->layers[i].drop,
            pass->step->seed ^ (i + 1) * 0x632be59bd9b4e019u,
            pass->step->d_step};
}

static const float *input_of(const struct pass *pass, int i)
{
    return i ? pass->step->d_out[i - 1] : pass->step->d_images;
}

/** The averages are brought and taken back, as parameters are. */
inline void forward_norm(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const size_t c = layer->weights;
    const struct layer_shape shape = shape_of(&layer->in, step->count);
    const struct batchnorm norm = norm_of(pass);
    const float *d_x = input_of(pass, i);
    float *running = step->d_running + step_running_at(step->net, i);
    float *saved = step->d_saved[i];

    copy(pass, norm.d_running_mean, running, c);
    copy(pass, norm.d_running_var, running + c, c);
    if (!pass->training) {
        RUN(batchnorm_inference(&shape, &norm, d_x, step->d_out[i]));
        return;
    }
    RUN(batchnorm_forward(&shape, &norm, d_x, step->d_out[i]));
    copy(pass, running, norm.d_running_mean, c);
    copy(pass, running + c, norm.d_running_var, c);
    copy(pass, saved, norm.d_mean, c);
    copy(pass, saved + c, norm.d_inv_std, c);
}

/** Back through the batch's mean and deviation. */
inline void back_norm(struct pass *pass, int i, float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const size_t c = layer->weights;
    const struct layer_shape shape = shape_of(&layer->in, step->count);
    const struct batchnorm norm = norm_of(pass);

    fetch(pass, layer);
    copy(pass, norm.d_mean, step->d_saved[i], c);
    copy(pass, norm.d_inv_std, step->d_saved[i] + c, c);
    RUN(batchnorm_backward(&shape, &norm, input_of(pass, i), step->d_back[i],
                           d_x_grad ? d_x_grad : pass->work.d_part[UNREAD]));
    deliver(pass, layer);
}

/** What a layer puts out, from what the one before it did. */
static void forward(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    /* TODO 1: fetch() the layer's parameters, then RUN the lab's function
       for its kind, from input_of(pass, i) to step->d_out[i].  Convolution
       and dense add their bias behind; lab 12's winners are bytes, which
       is what d_which holds here; forward_norm() is there. */
    if (layer->kind == LAYER_BATCHNORM) forward_norm(pass, i);
}

/** dW = X^T dY, dX = dY W^T. */
inline void back_dense(struct pass *pass, int i,
                              float *d_x_grad)
{
    /* TODO 3: transpose() into d_part[TURNED], then fast_gemm(): first
       d_part[WEIGHT_GRADS], then, unless d_x_grad is NULL, that. */
}

/** Gradients by the parameters, and by the input unless that is NULL. */
inline void back_weights(struct pass *pass, int i,
                                float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    /* TODO 4: fetch(), the gradient by the bias from d_back[i], then that by
       the weights and, unless d_x_grad is NULL, by the input: back_dense()
       or lab 11's two; at last deliver(). */
    fetch(pass, layer);
    if (layer->kind == LAYER_DENSE) back_dense(pass, i, d_x_grad);
    deliver(pass, layer);
}

static void back(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    /* Nobody asks for the gradient by the images. */
    float *d_x_grad = i ? step->d_back[i - 1] : NULL;
    /* TODO 5: the other kinds, from step->d_back[i] to d_x_grad; without
       parameters there is nothing to do where that is NULL. */
    if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
        back_weights(pass, i, d_x_grad);
    else if (layer->kind == LAYER_BATCHNORM)
        back_norm(pass, i, d_x_grad);
}

/** The step's number grows; a thread. */
__global__ void count_step(int *step)
{
    ++*step;
}

/** Losses and right choices of all images are added to the totals, by one
 *  thread in their order. */
__global__ void tally(const float *out, const unsigned char *labels,
                      const float *losses, int n, int classes, float *totals,
                      unsigned char *chosen)
{
    /* TODO 2: chosen[i] is the first of image i's largest outputs; totals[0]
       grows by all losses, totals[1] by the images chosen rightly. */
}

/** Loss, choice, and in training the gradient by the last output. */
static void lose(struct pass *pass)
{
    const struct step *step = pass->step;
    const int last = step->net->count - 1, classes = step->net->classes;
    const struct layer_shape shape = {step->count, classes, 1, 1};
    float *d_losses = pass->work.d_part[LOSSES];

    RUN(softmax_loss(&shape, step->d_out[last], step->d_labels, d_losses,
                     pass->training ? step->d_back[last]
                                    : pass->work.d_part[UNREAD]));
    if (pass->status) return;
    tally<<<1, 1>>>(step->d_out[last], step->d_labels, d_losses, step->count,
                    classes, step->d_totals, step->d_chosen);
    RUN(cudaGetLastError());
}

/** One flat array for the optimiser. */
static void change(struct pass *pass)
{
    /* TODO 6: lab 15's clip_norm() where how->clip is above 0, then its
       sgd_step() or adam_step() with step->d_rate and step->d_step. */
}

/** The order of a step. */
static int run(const struct step *step, bool training)
{
    struct pass now = {step, {}, training, cudaSuccess}, *pass = &now;

    lay_out(step->net, step->count, step->d_work, &pass->work);
    if (training) {
        count_step<<<1, 1>>>(step->d_step);
        RUN(cudaGetLastError());
    }
    for (int i = 0; i < step->net->count; i++)
        forward(pass, i);
    lose(pass);
    for (int i = step->net->count - 1; training && i >= 0; i--)
        back(pass, i);
    if (training) change(pass);
    return pass->status;
}

int train_step(const struct step *step)
{
    return run(step, true);
}

int train_evaluate(const struct step *step)
{
    return run(step, false);
}

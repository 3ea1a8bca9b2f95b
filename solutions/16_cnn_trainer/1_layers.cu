/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, step 1: what the labs before made, one function after another:
 *  transpose (03), fast_gemm (08), conv_layer (11), layers (12) and optimizers
 *  (15).  Those want their arrays aligned, and in the flat array of parameters
 *  a layer begins anywhere: each layer's are copied to d_work and back.  The
 *  contract is in cnn_trainer.h. */
#include <cuda_runtime.h>

#include "cnn_trainer.h"
#include "labs/03_transpose/transpose.h"
#include "labs/08_fast_gemm/fast_gemm.h"
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
    TURNED,      /**< transposed input or weights of a dense layer */
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

static struct conv_shape conv_of(const struct layer *layer, int n)
{
    return {n, layer->in.channels, layer->in.height, layer->in.width,
            layer->out.channels, layer->rows, layer->columns, layer->stride,
            layer->pad};
}

static struct layer_shape shape_of(const struct image_shape *shape, int n)
{
    return {n, shape->channels, shape->height, shape->width};
}

static struct pool_shape pool_of(const struct layer *layer, int n)
{
    return {n, layer->in.channels, layer->in.height, layer->in.width,
            layer->rows, layer->stride, 0};
}

static void at_least(size_t *floats, size_t wanted)
{
    if (*floats < wanted) *floats = wanted;
}

static void measure(const struct layer *layer, int batch, size_t *floats)
{
    const struct conv_shape conv = conv_of(layer, batch);
    const size_t in = layer_elements(&layer->in);

    for (int part = WEIGHTS; part <= VARIANCES; part++)
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
static size_t lay_out(const struct network *net, int batch, void *memory,
                      struct work *work)
{
    size_t used = 0;

    *work = {};
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
static void fetch(struct pass *pass, const struct layer *layer)
{
    const float *from = pass->step->d_parameters;
    copy(pass, pass->work.d_part[WEIGHTS], from + layer->weight_at,
         layer->weights);
    copy(pass, pass->work.d_part[BIASES], from + layer->bias_at,
         layer->biases);
}

/** Take a layer's gradients to the flat array. */
static void deliver(struct pass *pass, const struct layer *layer)
{
    float *to = pass->step->d_gradients;
    copy(pass, to + layer->weight_at, pass->work.d_part[WEIGHT_GRADS],
         layer->weights);
    copy(pass, to + layer->bias_at, pass->work.d_part[BIAS_GRADS],
         layer->biases);
}

static struct batchnorm norm_of(const struct pass *pass, int i)
{
    float *const *d_part = pass->work.d_part;
    const size_t c = pass->step->net->layers[i].weights;
    float *saved = pass->step->d_saved[i];
    return {1e-5f, 0.1f, 0, d_part[WEIGHTS], d_part[BIASES], d_part[MEANS],
            d_part[VARIANCES], saved, saved + (c + 3) / 4 * 4,
            d_part[WEIGHT_GRADS], d_part[BIAS_GRADS]};
}

static struct dropout dropout_of(const struct pass *pass, int i)
{
    return {pass->step->net->layers[i].drop,
            pass->step->seed ^ (i + 1) * 0x632be59bd9b4e019u,
            pass->step->d_step};
}

static const float *input_of(const struct pass *pass, int i)
{
    return i ? pass->step->d_out[i - 1] : pass->step->d_images;
}

static void forward_norm(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const struct layer_shape shape = shape_of(&layer->in, step->count);
    const struct batchnorm norm = norm_of(pass, i);
    float *running = step->d_running + step_running_at(step->net, i);

    copy(pass, norm.d_running_mean, running, layer->weights);
    copy(pass, norm.d_running_var, running + layer->weights, layer->weights);
    if (pass->training)
        RUN(batchnorm_forward(&shape, &norm, input_of(pass, i),
                              step->d_out[i]));
    else
        RUN(batchnorm_inference(&shape, &norm, input_of(pass, i),
                                step->d_out[i]));
    copy(pass, running, norm.d_running_mean, layer->weights);
    copy(pass, running + layer->weights, norm.d_running_var, layer->weights);
}

static void forward(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const struct conv_shape conv = conv_of(layer, step->count);
    const struct pool_shape pool = pool_of(layer, step->count);
    const struct layer_shape out = shape_of(&layer->out, step->count);
    const struct dropout drop = dropout_of(pass, i);
    const int in = (int)layer_elements(&layer->in), n = out.n;
    const int all = n * (int)layer_elements(&layer->out);
    float *const *d_part = pass->work.d_part, *d_y = step->d_out[i];
    const float *d_x = input_of(pass, i);

    fetch(pass, layer);
    if (layer->kind == LAYER_CONV)
        RUN(conv_forward(&conv, d_x, d_part[WEIGHTS], d_y, d_part[OTHER]));
    else if (layer->kind == LAYER_DENSE)
        RUN(fast_gemm(d_x, d_part[WEIGHTS], d_y, n, out.c, in, 1, 0));
    else if (layer->kind == LAYER_RELU)
        RUN(relu_forward(d_x, d_y, all));
    else if (layer->kind == LAYER_MAXPOOL)
        RUN(maxpool_forward(&pool, d_x, d_y,
                            (unsigned char *)step->d_which[i]));
    else if (layer->kind == LAYER_BATCHNORM)
        forward_norm(pass, i);
    else if (pass->training)
        RUN(dropout_forward(&drop, d_x, d_y, all));
    else
        copy(pass, d_y, d_x, all);
    if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
        RUN(bias_forward(&out, d_y, d_part[BIASES], d_y));
}

/** dW = X^T dY, dX = dY W^T. */
static void back_dense(struct pass *pass, int i, float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    float *const *d_part = pass->work.d_part;
    const int in = (int)layer_elements(&layer->in), n = step->count;
    const int units = layer->out.channels;

    RUN(transpose(input_of(pass, i), d_part[TURNED], n, in));
    RUN(fast_gemm(d_part[TURNED], step->d_back[i], d_part[WEIGHT_GRADS], in,
                  units, n, 1, 0));
    if (!d_x_grad) return;
    RUN(transpose(d_part[WEIGHTS], d_part[TURNED], in, units));
    RUN(fast_gemm(step->d_back[i], d_part[TURNED], d_x_grad, n, in, units, 1,
                  0));
}

static void back_weights(struct pass *pass, int i, float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const struct conv_shape conv = conv_of(layer, step->count);
    const struct layer_shape out = shape_of(&layer->out, step->count);
    float *const *d_part = pass->work.d_part;
    const float *d_y_grad = step->d_back[i];

    fetch(pass, layer);
    RUN(bias_backward(&out, d_y_grad, d_part[BIAS_GRADS]));
    if (layer->kind == LAYER_DENSE) {
        back_dense(pass, i, d_x_grad);
    } else {
        RUN(conv_backward_filter(&conv, input_of(pass, i), d_y_grad,
                                 d_part[WEIGHT_GRADS], d_part[OTHER]));
        if (d_x_grad)
            RUN(conv_backward_data(&conv, d_part[WEIGHTS], d_y_grad, d_x_grad,
                                   d_part[OTHER]));
    }
    deliver(pass, layer);
}

static void back(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const struct pool_shape pool = pool_of(layer, step->count);
    const struct layer_shape shape = shape_of(&layer->in, step->count);
    const struct dropout drop = dropout_of(pass, i);
    const struct batchnorm norm = norm_of(pass, i);
    const int all = step->count * (int)layer_elements(&layer->out);
    const float *d_y_grad = step->d_back[i];
    /* Nobody reads the images after the first layer's way back. */
    float *d_x_grad = i ? step->d_back[i - 1] : NULL;

    if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE) {
        back_weights(pass, i, d_x_grad);
    } else if (layer->kind == LAYER_BATCHNORM) {
        fetch(pass, layer);
        RUN(batchnorm_backward(&shape, &norm, input_of(pass, i), d_y_grad,
                               d_x_grad ? d_x_grad : step->d_images));
        deliver(pass, layer);
    } else if (d_x_grad && layer->kind == LAYER_RELU) {
        RUN(relu_backward(step->d_out[i], d_y_grad, d_x_grad, all));
    } else if (d_x_grad && layer->kind == LAYER_MAXPOOL) {
        RUN(maxpool_backward(&pool, (unsigned char *)step->d_which[i],
                             d_y_grad, d_x_grad));
    } else if (d_x_grad) {
        RUN(dropout_backward(&drop, d_y_grad, d_x_grad, all));
    }
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
    float sum = 0, right = 0;
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 1; j < classes; j++)
            if (out[i * classes + j] > out[i * classes + best]) best = j;
        chosen[i] = (unsigned char)best;
        right += best == labels[i];
        sum += losses[i];
    }
    totals[0] += sum;
    totals[1] += right;
}

static void lose(struct pass *pass)
{
    const struct step *step = pass->step;
    const int last = step->net->count - 1, classes = step->net->classes;
    const struct layer_shape shape = {step->count, classes, 1, 1};
    float *d_losses = pass->work.d_part[LOSSES];

    RUN(softmax_loss(&shape, step->d_out[last], step->d_labels, d_losses,
                     step->d_back[last]));
    if (pass->status) return;
    tally<<<1, 1>>>(step->d_out[last], step->d_labels, d_losses, step->count,
                    classes, step->d_totals, step->d_chosen);
    RUN(cudaGetLastError());
}

static void change(struct pass *pass)
{
    const struct step *step = pass->step;
    const struct training *how = &step->net->training;
    const size_t n = step->net->parameters;
    float *d_norm = pass->work.d_part[NORM];
    const bool clipped = how->clip > 0;
    const struct update u = {
        step->d_parameters, step->d_gradients, step->d_first, step->d_second,
        n, n, step->d_rate, clipped ? d_norm + 1 : NULL, step->d_step};
    const struct sgd sgd = {
        how->optimizer == OPTIMIZER_SGD ? 0 : how->momentum, how->decay,
        how->optimizer == OPTIMIZER_NESTEROV};
    const struct adam adam = {0.9f, 0.999f, 1e-8f, how->decay,
                              how->optimizer == OPTIMIZER_ADAMW};

    if (clipped)
        RUN(clip_norm(step->d_gradients, n, how->clip, d_norm,
                      pass->work.d_part[OTHER]));
    if (how->optimizer >= OPTIMIZER_ADAM)
        RUN(adam_step(&u, &adam));
    else
        RUN(sgd_step(&u, &sgd));
}

static int run(const struct step *step, bool training)
{
    struct pass now = {step, {}, training, cudaSuccess}, *pass = &now;

    lay_out(step->net, step->count, step->d_work, &pass->work);
    if (training) count_step<<<1, 1>>>(step->d_step);
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

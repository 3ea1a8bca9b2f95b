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
#include "parts.h"

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
// BEGIN SOLUTION
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
// HANDOUT
//     /* TODO 1: fetch() the layer's parameters, then RUN the lab's function
//        for its kind, from input_of(pass, i) to step->d_out[i].  Convolution
//        and dense add their bias behind; lab 12's winners are bytes, which
//        is what d_which holds here; forward_norm() is there. */
//     if (layer->kind == LAYER_BATCHNORM) forward_norm(pass, i);
// END SOLUTION
}

/** dW = X^T dY, dX = dY W^T. */
inline void back_dense(struct pass *pass, int i,
                              float *d_x_grad)
{
// BEGIN SOLUTION
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
// HANDOUT
//     /* TODO 3: transpose() into d_part[TURNED], then fast_gemm(): first
//        d_part[WEIGHT_GRADS], then, unless d_x_grad is NULL, that. */
// END SOLUTION
}

/** Gradients by the parameters, and by the input unless that is NULL. */
inline void back_weights(struct pass *pass, int i,
                                float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
// BEGIN SOLUTION
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
// HANDOUT
//     /* TODO 4: fetch(), the gradient by the bias from d_back[i], then that by
//        the weights and, unless d_x_grad is NULL, by the input: back_dense()
//        or lab 11's two; at last deliver(). */
//     fetch(pass, layer);
//     if (layer->kind == LAYER_DENSE) back_dense(pass, i, d_x_grad);
//     deliver(pass, layer);
// END SOLUTION
}

static void back(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    /* Nobody asks for the gradient by the images. */
    float *d_x_grad = i ? step->d_back[i - 1] : NULL;
// BEGIN SOLUTION
    const struct pool_shape pool = pool_of(layer, step->count);
    const struct dropout drop = dropout_of(pass, i);
    const int all = step->count * (int)layer_elements(&layer->out);
    const float *d_y_grad = step->d_back[i];

    if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
        back_weights(pass, i, d_x_grad);
    else if (layer->kind == LAYER_BATCHNORM)
        back_norm(pass, i, d_x_grad);
    else if (d_x_grad && layer->kind == LAYER_RELU)
        RUN(relu_backward(step->d_out[i], d_y_grad, d_x_grad, all));
    else if (d_x_grad && layer->kind == LAYER_MAXPOOL)
        RUN(maxpool_backward(&pool, (unsigned char *)step->d_which[i],
                             d_y_grad, d_x_grad));
    else if (d_x_grad)
        RUN(dropout_backward(&drop, d_y_grad, d_x_grad, all));
// HANDOUT
//     /* TODO 5: the other kinds, from step->d_back[i] to d_x_grad; without
//        parameters there is nothing to do where that is NULL. */
//     if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
//         back_weights(pass, i, d_x_grad);
//     else if (layer->kind == LAYER_BATCHNORM)
//         back_norm(pass, i, d_x_grad);
// END SOLUTION
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
// BEGIN SOLUTION
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
// HANDOUT
//     /* TODO 2: chosen[i] is the first of image i's largest outputs; totals[0]
//        grows by all losses, totals[1] by the images chosen rightly. */
// END SOLUTION
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
// BEGIN SOLUTION
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
// HANDOUT
//     /* TODO 6: lab 15's clip_norm() where how->clip is above 0, then its
//        sgd_step() or adam_step() with step->d_rate and step->d_step. */
// END SOLUTION
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

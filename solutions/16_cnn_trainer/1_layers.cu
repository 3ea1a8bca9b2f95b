/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, step 1: the functions of the earlier labs, one after another:
 *  transpose (03), fast_gemm (08), conv_layer (11), layers (12) and optimizers
 *  (15).  They need aligned arrays, but a layer's parameters may start anywhere
 *  in the flat array.  So they are copied to d_workspace, and the gradients are
 *  copied back.  The contract is in cnn_trainer.h. */
#include <cuda_runtime.h>

#include "labs/03_transpose/transpose.h"
#include "labs/08_fast_gemm/fast_gemm.h"
#include "workspace.h"

/** The state of a step: `status` is the first error. */
struct pass {
    const struct step *step; /**< its arrays */
    struct work work;        /**< buffers in d_workspace */
    bool training;           /**< training or evaluation */
    int status;              /**< if not 0, all further calls are skipped */
};

/** Call a lab's function, unless an earlier call failed. */
#define RUN(call)                                                             \
    do {                                                                      \
        if (!pass->status) pass->status = (call);                             \
    } while (0)

size_t train_workspace(const struct network *net, int batch)
{
    struct work work;
    return workspace_layout(net, batch, NULL, &work);
}

static void copy_floats(struct pass *pass, float *to, const float *from,
                        size_t n)
{
    if (n)
        RUN(cudaMemcpyAsync(to, from, n * sizeof *to,
                            cudaMemcpyDeviceToDevice));
}

/** Copy a layer's parameters to aligned buffers. */
inline void load_parameters(struct pass *pass, const struct layer *layer)
{
    const float *from = pass->step->d_parameters;
    copy_floats(pass, pass->work.d_buffer[WEIGHTS], from + layer->weight_offset,
                layer->weights);
    copy_floats(pass, pass->work.d_buffer[BIASES], from + layer->bias_offset,
                layer->biases);
}

/** Copy a layer's gradients to the flat array. */
inline void store_gradients(struct pass *pass, const struct layer *layer)
{
    float *to = pass->step->d_gradients;
    copy_floats(pass, to + layer->weight_offset,
                pass->work.d_buffer[WEIGHT_GRADS], layer->weights);
    copy_floats(pass, to + layer->bias_offset, pass->work.d_buffer[BIAS_GRADS],
                layer->biases);
}

inline struct batchnorm norm_of(const struct pass *pass)
{
    float *const *d_buffer = pass->work.d_buffer;
    return {1e-5f,
            0.1f,
            0,
            d_buffer[WEIGHTS],
            d_buffer[BIASES],
            d_buffer[MEANS],
            d_buffer[VARIANCES],
            d_buffer[BATCH_MEANS],
            d_buffer[BATCH_SCALES],
            d_buffer[WEIGHT_GRADS],
            d_buffer[BIAS_GRADS]};
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

/** The running statistics are copied to and from aligned buffers, like
 *  parameters. */
inline void batchnorm_layer_forward(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const size_t c = layer->weights;
    const struct layer_shape shape = shape_of(&layer->in, step->count);
    const struct batchnorm norm = norm_of(pass);
    const float *d_x = input_of(pass, i);
    float *running =
        step->d_running_stats + step_running_stats_offset(step->net, i);
    float *saved = step->d_saved[i];

    copy_floats(pass, norm.d_running_mean, running, c);
    copy_floats(pass, norm.d_running_var, running + c, c);
    if (!pass->training) {
        RUN(batchnorm_inference(&shape, &norm, d_x, step->d_out[i]));
        return;
    }
    RUN(batchnorm_forward(&shape, &norm, d_x, step->d_out[i]));
    copy_floats(pass, running, norm.d_running_mean, c);
    copy_floats(pass, running + c, norm.d_running_var, c);
    copy_floats(pass, saved, norm.d_mean, c);
    copy_floats(pass, saved + c, norm.d_inv_std, c);
}

/** Backward pass of batch normalization, through mean and variance. */
inline void batchnorm_layer_backward(struct pass *pass, int i, float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const size_t c = layer->weights;
    const struct layer_shape shape = shape_of(&layer->in, step->count);
    const struct batchnorm norm = norm_of(pass);

    load_parameters(pass, layer);
    copy_floats(pass, norm.d_mean, step->d_saved[i], c);
    copy_floats(pass, norm.d_inv_std, step->d_saved[i] + c, c);
    RUN(batchnorm_backward(
        &shape, &norm, input_of(pass, i), step->d_out_grad[i],
        d_x_grad ? d_x_grad : pass->work.d_buffer[DISCARDED]));
    store_gradients(pass, layer);
}

/** Compute the output of layer i from that of the layer before. */
static void forward(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const struct conv_shape conv = conv_of(layer, step->count);
    const struct pool_shape pool = pool_of(layer, step->count);
    const struct layer_shape out = shape_of(&layer->out, step->count);
    const struct dropout drop = dropout_of(pass, i);
    const int in = (int)shape_elements(&layer->in), n = out.n;
    const int all = n * (int)shape_elements(&layer->out);
    float *const *d_buffer = pass->work.d_buffer, *d_y = step->d_out[i];
    const float *d_x = input_of(pass, i);

    load_parameters(pass, layer);
    switch (layer->kind) {
    case LAYER_CONV:
        RUN(conv_forward(&conv, d_x, d_buffer[WEIGHTS], d_y,
                         d_buffer[SCRATCH]));
        break;
    case LAYER_DENSE:
        RUN(fast_gemm(d_x, d_buffer[WEIGHTS], d_y, n, out.c, in, 1, 0));
        break;
    case LAYER_RELU:
        RUN(relu_forward(d_x, d_y, all));
        break;
    case LAYER_AVGPOOL: /* no lab has them: see layer_kinds.h */
    case LAYER_ADD:
        RUN(cudaErrorNotSupported);
        break;
    case LAYER_MAXPOOL:
        RUN(maxpool_forward(&pool, d_x, d_y,
                            (unsigned char *)step->d_argmax[i]));
        break;
    case LAYER_BATCHNORM:
        batchnorm_layer_forward(pass, i);
        break;
    case LAYER_DROPOUT:
        if (pass->training)
            RUN(dropout_forward(&drop, d_x, d_y, all));
        else
            copy_floats(pass, d_y, d_x, all);
        break;
    }
    if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
        RUN(bias_forward(&out, d_y, d_buffer[BIASES], d_y));
}

/** dW = X^T dY, dX = dY W^T. */
inline void dense_backward(struct pass *pass, int i, float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    float *const *d_buffer = pass->work.d_buffer;
    const int in = (int)shape_elements(&layer->in), n = step->count;
    const int units = layer->out.channels;

    RUN(transpose(input_of(pass, i), d_buffer[TRANSPOSED], n, in));
    RUN(fast_gemm(d_buffer[TRANSPOSED], step->d_out_grad[i],
                  d_buffer[WEIGHT_GRADS], in, units, n, 1, 0));
    if (!d_x_grad) return;
    RUN(transpose(d_buffer[WEIGHTS], d_buffer[TRANSPOSED], in, units));
    RUN(fast_gemm(step->d_out_grad[i], d_buffer[TRANSPOSED], d_x_grad, n, in,
                  units, 1, 0));
}

/** The gradient with respect to the parameters and, unless d_x_grad is NULL,
 *  with respect to the input. */
inline void weights_backward(struct pass *pass, int i, float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    const struct conv_shape conv = conv_of(layer, step->count);
    const struct layer_shape out = shape_of(&layer->out, step->count);
    float *const *d_buffer = pass->work.d_buffer;
    const float *d_y_grad = step->d_out_grad[i];

    load_parameters(pass, layer);
    RUN(bias_backward(&out, d_y_grad, d_buffer[BIAS_GRADS]));
    if (layer->kind == LAYER_DENSE) {
        dense_backward(pass, i, d_x_grad);
    } else {
        RUN(conv_backward_filter(&conv, input_of(pass, i), d_y_grad,
                                 d_buffer[WEIGHT_GRADS], d_buffer[SCRATCH]));
        if (d_x_grad)
            RUN(conv_backward_data(&conv, d_buffer[WEIGHTS], d_y_grad, d_x_grad,
                                   d_buffer[SCRATCH]));
    }
    store_gradients(pass, layer);
}

static void back(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    /* The gradient with respect to the images is not needed. */
    float *d_x_grad = i ? step->d_out_grad[i - 1] : NULL;
    const struct pool_shape pool = pool_of(layer, step->count);
    const struct dropout drop = dropout_of(pass, i);
    const int all = step->count * (int)shape_elements(&layer->out);
    const float *d_y_grad = step->d_out_grad[i];

    switch (layer->kind) {
    case LAYER_CONV:
    case LAYER_DENSE:
        weights_backward(pass, i, d_x_grad);
        break;
    case LAYER_BATCHNORM:
        batchnorm_layer_backward(pass, i, d_x_grad);
        break;
    case LAYER_RELU:
        if (d_x_grad)
            RUN(relu_backward(step->d_out[i], d_y_grad, d_x_grad, all));
        break;
    case LAYER_AVGPOOL: /* forward() has refused them */
    case LAYER_ADD:
        break;
    case LAYER_MAXPOOL:
        if (d_x_grad)
            RUN(maxpool_backward(&pool, (unsigned char *)step->d_argmax[i],
                                 d_y_grad, d_x_grad));
        break;
    case LAYER_DROPOUT:
        if (d_x_grad)
            RUN(dropout_backward(&drop, d_y_grad, d_x_grad, all));
        break;
    }
}

/** Increment the step number; one thread. */
__global__ void count_step(int *step)
{
    ++*step;
}

/** Add the losses and correct predictions of all images to the totals; one
 *  thread, in the order of the images. */
__global__ void accumulate_totals(const float *out, const unsigned char *labels,
                                  const float *losses, int n, int classes,
                                  float *totals, unsigned char *predicted)
{
    float sum = 0, correct = 0;
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 1; j < classes; j++)
            if (out[i * classes + j] > out[i * classes + best]) best = j;
        predicted[i] = (unsigned char)best;
        correct += best == labels[i];
        sum += losses[i];
    }
    totals[0] += sum;
    totals[1] += correct;
}

/** Loss, predictions, and in training the gradient with respect to the last
 *  output. */
static void loss_and_gradient(struct pass *pass)
{
    const struct step *step = pass->step;
    const int last = step->net->count - 1, classes = step->net->classes;
    const struct layer_shape shape = {step->count, classes, 1, 1};
    float *d_losses = pass->work.d_buffer[LOSSES];

    RUN(softmax_cross_entropy(&shape, step->d_out[last], step->d_labels,
                              d_losses,
                              pass->training ? step->d_out_grad[last]
                                             : pass->work.d_buffer[DISCARDED]));
    if (pass->status) return;
    accumulate_totals<<<1, 1>>>(step->d_out[last], step->d_labels, d_losses,
                                step->count, classes, step->d_totals,
                                step->d_predicted);
    RUN(cudaGetLastError());
}

/** Update the flat array of parameters. */
static void optimizer_step(struct pass *pass)
{
    const struct step *step = pass->step;
    const struct training *config = &step->net->training;
    const size_t n = step->net->parameters;
    float *d_norm = pass->work.d_buffer[NORM];
    const bool clipped = config->max_grad_norm > 0;
    const struct update u = {
        step->d_parameters, step->d_gradients, step->d_moment1, step->d_moment2,
        n, n, step->d_learning_rate, clipped ? d_norm + 1 : NULL, step->d_step};
    const struct sgd sgd = {
        config->optimizer == OPTIMIZER_SGD ? 0 : config->momentum,
        config->weight_decay, config->optimizer == OPTIMIZER_NESTEROV};
    const struct adam adam = {0.9f, 0.999f, 1e-8f, config->weight_decay,
                              config->optimizer == OPTIMIZER_ADAMW};

    if (clipped)
        RUN(clip_grad_norm(step->d_gradients, n, config->max_grad_norm, d_norm,
                           pass->work.d_buffer[SCRATCH]));
    if (config->optimizer >= OPTIMIZER_ADAM)
        RUN(adam_step(&u, &adam));
    else
        RUN(sgd_step(&u, &sgd));
}

/** The order of a step. */
static int run(const struct step *step, bool training)
{
    struct pass now = {step, {}, training, cudaSuccess}, *pass = &now;

    workspace_layout(step->net, step->count, step->d_workspace, &pass->work);
    if (training) {
        count_step<<<1, 1>>>(step->d_step);
        RUN(cudaGetLastError());
    }
    for (int i = 0; i < step->net->count; i++)
        forward(pass, i);
    loss_and_gradient(pass);
    for (int i = step->net->count - 1; training && i >= 0; i--)
        back(pass, i);
    if (training) optimizer_step(pass);
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

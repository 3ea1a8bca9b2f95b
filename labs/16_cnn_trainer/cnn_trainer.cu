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
    /* TODO 1: load_parameters(), then RUN the lab's function for this kind of
       layer, from input_of(pass, i) to step->d_out[i].  Convolution and dense
       layers then add their bias; d_argmax contains the bytes of lab 12;
       batchnorm_layer_forward() is given. */
    if (layer->kind == LAYER_BATCHNORM) batchnorm_layer_forward(pass, i);
}

/** dW = X^T dY, dX = dY W^T. */
inline void dense_backward(struct pass *pass, int i, float *d_x_grad)
{
    /* TODO 3: transpose() into d_buffer[TRANSPOSED], then fast_gemm(): first
       for d_buffer[WEIGHT_GRADS], then, unless it is NULL, for d_x_grad. */
}

/** The gradient with respect to the parameters and, unless d_x_grad is NULL,
 *  with respect to the input. */
inline void weights_backward(struct pass *pass, int i, float *d_x_grad)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    /* TODO 4: load_parameters(); the gradient of the bias from d_out_grad[i];
       those of the weights and, unless d_x_grad is NULL, of the input:
       dense_backward() or lab 11's two functions; then store_gradients(). */
    load_parameters(pass, layer);
    if (layer->kind == LAYER_DENSE) dense_backward(pass, i, d_x_grad);
    store_gradients(pass, layer);
}

static void back(struct pass *pass, int i)
{
    const struct step *step = pass->step;
    const struct layer *layer = &step->net->layers[i];
    /* The gradient with respect to the images is not needed. */
    float *d_x_grad = i ? step->d_out_grad[i - 1] : NULL;
    /* TODO 5: the other kinds, from step->d_out_grad[i] to d_x_grad; if it is
       NULL, a layer without parameters has nothing to do. */
    if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
        weights_backward(pass, i, d_x_grad);
    else if (layer->kind == LAYER_BATCHNORM)
        batchnorm_layer_backward(pass, i, d_x_grad);
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
    /* TODO 2: predicted[i] is the first of the largest outputs of image i; add
       all losses to totals[0], the number of correct images to totals[1]. */
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
    /* TODO 6: lab 15's clip_grad_norm() if step->net->training.max_grad_norm
       is above 0, then sgd_step() or adam_step() with step->d_learning_rate
       and step->d_step. */
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

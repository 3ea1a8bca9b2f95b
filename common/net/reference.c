/* SPDX-License-Identifier: MIT */
/* See reference.h: memory, loss, optimizer. reference_layers.c has the layers.
 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference_layers.h"

void reference_free(struct reference *x)
{
    if (!x)
        return;
    free(x->parameters);
    free(x->gradients);
    free(x->moments);
    free(x->image_grad);
    for (int i = 0; i < NETWORK_MAX_LAYERS; i++) {
        free(x->out[i]);
        free(x->out_grad[i]);
    }
    free(x);
}

/* Zeroed doubles, at least one; *ok becomes false without memory. */
static double *allocate(size_t count, bool *ok)
{
    double *to = calloc(count + 1, sizeof *to);

    *ok = *ok && to;
    return to;
}

struct reference *reference_make(const struct network *net, int count,
                                 const float *parameters)
{
    struct reference *x = calloc(1, sizeof *x);
    bool ok = x != NULL;

    if (!ok)
        return NULL;
    x->net = net;
    x->count = count;
    x->parameters = allocate(net->parameters, &ok);
    x->gradients = allocate(net->parameters, &ok);
    x->moments = allocate(2 * net->parameters, &ok);
    x->image_grad = allocate((size_t)count * shape_elements(&net->in), &ok);
    for (int i = 0; i < net->count; i++) {
        const size_t size = shape_elements(&net->layers[i].out);

        x->out[i] = allocate((size_t)count * size, &ok);
        x->out_grad[i] = allocate((size_t)count * size, &ok);
    }
    if (!ok) {
        reference_free(x);
        return NULL;
    }
    for (size_t i = 0; i < net->parameters; i++)
        x->parameters[i] = (double)parameters[i];
    return x;
}

/* Loss of one image; its gradient with respect to `out` goes to `grad` unless
 * that is NULL. */
static double softmax_cross_entropy(const double *out, int label, int classes,
                                    int count, double *grad)
{
    double max_logit = out[0], sum = 0;

    for (int j = 1; j < classes; j++) max_logit = fmax(max_logit, out[j]);
    for (int j = 0; j < classes; j++) sum += exp(out[j] - max_logit);
    for (int j = 0; grad && j < classes; j++)
        grad[j] = (exp(out[j] - max_logit) / sum - (j == label)) / count;
    return log(sum) + max_logit - out[label];
}

/* Mean loss of the batch; with out_grad also the gradient with respect to the
 * last layer's output. */
static double forward(struct reference *x, const double *images,
                      const unsigned char *labels, int count, bool out_grad)
{
    const int last = x->net->count - 1, classes = x->net->classes;
    double sum = 0;

    x->images = images;
    for (int i = 0; i <= last; i++)
        reference_layer_forward(x, i, i ? x->out[i - 1] : images, count);
    for (int n = 0; n < count; n++)
        sum += softmax_cross_entropy(
            x->out[last] + n * classes, labels[n], classes, count,
            out_grad ? x->out_grad[last] + n * classes : NULL);
    return sum / count;
}

double reference_loss(struct reference *x, const double *images,
                      const unsigned char *labels, int count)
{
    return forward(x, images, labels, count, false);
}

/* The gradient with respect to layer i's output (-1: the images) gets those of
 * the sums that it is an operand of. */
static void add_shortcuts(struct reference *x, int i, int count)
{
    double *to = i < 0 ? x->image_grad : x->out_grad[i];

    for (int j = i + 1; j < x->net->count; j++) {
        const struct layer *layer = &x->net->layers[j];
        const size_t all = (size_t)count * shape_elements(&layer->out);

        if (layer->kind != LAYER_ADD || layer->source != i) continue;
        for (size_t k = 0; k < all; k++) to[k] += x->out_grad[j][k];
    }
}

double reference_backward(struct reference *x, const double *images,
                          const unsigned char *labels, int count)
{
    const double loss = forward(x, images, labels, count, true);

    memset(x->gradients, 0, x->net->parameters * sizeof *x->gradients);
    for (int i = x->net->count - 1; i >= 0; i--) {
        reference_layer_backward(x, i, i ? x->out[i - 1] : images,
                                 i ? x->out_grad[i - 1] : x->image_grad, count);
        add_shortcuts(x, i - 1, count);
    }
    return loss;
}

/* The update of a parameter before multiplication with the learning rate. */
static double optimizer_update(const struct reference *x, double grad,
                               double *first, double *second)
{
    const struct training *training = &x->net->training;
    const double momentum = (double)training->momentum;

    switch (training->optimizer) {
    case OPTIMIZER_SGD:
        return grad;
    case OPTIMIZER_MOMENTUM:
    case OPTIMIZER_NESTEROV:
        *first = momentum * *first + grad;
        return training->optimizer == OPTIMIZER_MOMENTUM ? *first
                                                    : grad + momentum * *first;
    case OPTIMIZER_ADAM:
    case OPTIMIZER_ADAMW:
        *first = 0.9 * *first + 0.1 * grad;
        *second = 0.999 * *second + 0.001 * grad * grad;
        return *first / (1 - pow(0.9, x->step))
               / (sqrt(*second / (1 - pow(0.999, x->step))) + 1e-8);
    }
    return 0;
}

void reference_optimizer_step(struct reference *x, double learning_rate)
{
    const struct training *training = &x->net->training;
    const size_t n = x->net->parameters;
    const bool decoupled = training->optimizer == OPTIMIZER_ADAMW;
    double norm_squared = 0, factor = 1;

    x->step++;
    for (size_t i = 0; i < n; i++)
        norm_squared += x->gradients[i] * x->gradients[i];
    if (training->max_grad_norm > 0
        && sqrt(norm_squared) > (double)training->max_grad_norm)
        factor = (double)training->max_grad_norm / sqrt(norm_squared);
    for (size_t i = 0; i < n; i++) {
        const double weight_decay =
            (double)training->weight_decay * x->parameters[i];
        const double grad =
            x->gradients[i] * factor + (decoupled ? 0 : weight_decay);
        const double delta =
            optimizer_update(x, grad, &x->moments[i], &x->moments[n + i]);

        x->parameters[i] -=
            learning_rate * (delta + (decoupled ? weight_decay : 0));
    }
}

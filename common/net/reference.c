/* SPDX-License-Identifier: MIT */
/* See reference.h: memory, loss, update.  reference_layers.c has the layers. */
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
    free(x->first);
    for (int i = 0; i < NETWORK_LAYERS; i++) {
        free(x->out[i]);
        free(x->back[i]);
    }
    free(x);
}

static double *room(size_t count, bool *ok)
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
    x->parameters = room(net->parameters, &ok);
    x->gradients = room(net->parameters, &ok);
    x->moments = room(2 * net->parameters, &ok);
    x->first = room((size_t)count * layer_elements(&net->in), &ok);
    for (int i = 0; i < net->count; i++) {
        const size_t size = layer_elements(&net->layers[i].out);

        x->out[i] = room((size_t)count * size, &ok);
        x->back[i] = room((size_t)count * size, &ok);
    }
    if (!ok) {
        reference_free(x);
        return NULL;
    }
    for (size_t i = 0; i < net->parameters; i++)
        x->parameters[i] = (double)parameters[i];
    return x;
}

/* One image's loss; its gradient in `grad` unless that is NULL. */
static double loss_of(const double *out, int label, int classes, int count,
                      double *grad)
{
    double most = out[0], sum = 0;

    for (int j = 1; j < classes; j++) most = fmax(most, out[j]);
    for (int j = 0; j < classes; j++) sum += exp(out[j] - most);
    for (int j = 0; grad && j < classes; j++)
        grad[j] = (exp(out[j] - most) / sum - (j == label)) / count;
    return log(sum) + most - out[label];
}

static double forward(struct reference *x, const double *images,
                      const unsigned char *labels, int count, bool back)
{
    const int last = x->net->count - 1, classes = x->net->classes;
    double sum = 0;

    for (int i = 0; i <= last; i++)
        reference_forward(x, i, i ? x->out[i - 1] : images, count);
    for (int n = 0; n < count; n++)
        sum += loss_of(x->out[last] + n * classes, labels[n], classes, count,
                       back ? x->back[last] + n * classes : NULL);
    return sum / count;
}

double reference_loss(struct reference *x, const double *images,
                      const unsigned char *labels, int count)
{
    return forward(x, images, labels, count, false);
}

double reference_back(struct reference *x, const double *images,
                      const unsigned char *labels, int count)
{
    const double loss = forward(x, images, labels, count, true);

    memset(x->gradients, 0, x->net->parameters * sizeof *x->gradients);
    for (int i = x->net->count - 1; i >= 0; i--)
        reference_layer_back(x, i, i ? x->out[i - 1] : images,
                             i ? x->back[i - 1] : x->first, count);
    return loss;
}

/* What an optimiser takes off a parameter, but for the rate. */
static double moved(const struct reference *x, double grad, double *first,
                    double *second)
{
    const struct training *how = &x->net->training;
    const double momentum = (double)how->momentum;

    switch (how->optimizer) {
    case OPTIMIZER_SGD:
        return grad;
    case OPTIMIZER_MOMENTUM:
    case OPTIMIZER_NESTEROV:
        *first = momentum * *first + grad;
        return how->optimizer == OPTIMIZER_MOMENTUM ? *first
                                                    : grad + momentum * *first;
    default:
        *first = 0.9 * *first + 0.1 * grad;
        *second = 0.999 * *second + 0.001 * grad * grad;
        return *first / (1 - pow(0.9, x->step))
               / (sqrt(*second / (1 - pow(0.999, x->step))) + 1e-8);
    }
}

void reference_update(struct reference *x, double rate)
{
    const struct training *how = &x->net->training;
    const size_t n = x->net->parameters;
    const bool apart = how->optimizer == OPTIMIZER_ADAMW;
    double squares = 0, factor = 1;

    x->step++;
    for (size_t i = 0; i < n; i++)
        squares += x->gradients[i] * x->gradients[i];
    if (how->clip > 0 && sqrt(squares) > (double)how->clip)
        factor = (double)how->clip / sqrt(squares);
    for (size_t i = 0; i < n; i++) {
        const double decay = (double)how->decay * x->parameters[i];
        const double grad = x->gradients[i] * factor + (apart ? 0 : decay);
        const double by =
            moved(x, grad, &x->moments[i], &x->moments[n + i]);

        x->parameters[i] -= rate * (by + (apart ? decay : 0));
    }
}

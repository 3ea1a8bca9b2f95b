/* SPDX-License-Identifier: MIT */
/* See step.h. */
#include "step.h"

#include <string.h>

enum { ALIGN = 256 };

/* The next so many bytes. */
static void *take(char *memory, size_t *used, size_t bytes)
{
    void *at = memory ? memory + *used : NULL;

    *used += (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static size_t take_layers(struct step *step, char *memory, size_t used)
{
    const size_t batch = (size_t)step->count;

    for (int i = 0; i < step->net->count; i++) {
        const struct layer *layer = &step->net->layers[i];
        const size_t out = batch * layer_elements(&layer->out);

        step->d_out[i] = take(memory, &used, out * sizeof(float));
        step->d_back[i] = take(memory, &used, out * sizeof(float));
        if (layer->kind == LAYER_MAXPOOL)
            step->d_which[i] = take(memory, &used, out * sizeof(int));
        if (layer->kind == LAYER_BATCHNORM)
            step->d_saved[i] =
                take(memory, &used, 2 * layer->weights * sizeof(float));
    }
    return used;
}

size_t step_layout(const struct network *net, int batch, size_t workspace,
                   void *memory, struct step *step)
{
    const size_t images = (size_t)batch, flat = net->parameters;
    const size_t real = sizeof(float);
    size_t used = 0;

    memset(step, 0, sizeof *step);
    step->net = net;
    step->count = batch;
    step->d_images =
        take(memory, &used, images * layer_elements(&net->in) * real);
    step->d_labels = take(memory, &used, images);
    step->d_chosen = take(memory, &used, images);
    step->d_parameters = take(memory, &used, flat * real);
    step->d_gradients = take(memory, &used, flat * real);
    step->d_first = take(memory, &used, flat * real);
    step->d_second = take(memory, &used, flat * real);
    step->d_running = take(memory, &used, step_running(net) * real);
    step->d_rate = take(memory, &used, real);
    step->d_step = take(memory, &used, sizeof(int));
    step->d_totals = take(memory, &used, 2 * real);
    step->d_work = take(memory, &used, workspace);
    return take_layers(step, memory, used);
}

size_t step_running_at(const struct network *net, int layer)
{
    size_t sum = 0;

    for (int i = 0; i < layer; i++)
        if (net->layers[i].kind == LAYER_BATCHNORM)
            sum += 2 * net->layers[i].weights;
    return sum;
}

size_t step_running(const struct network *net)
{
    return step_running_at(net, net->count);
}

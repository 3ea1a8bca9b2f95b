/* SPDX-License-Identifier: MIT */
/* See step.h. */
#include "step.h"

#include <string.h>

enum { ALIGN = 256 };

/* The next `bytes` bytes of the arena; only counts if memory is NULL. */
static void *arena_allocate(char *memory, size_t *arena_used, size_t bytes)
{
    void *at = memory ? memory + *arena_used : NULL;

    *arena_used += (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

/* Output and output gradient of each layer, and what its backward pass needs.
 * With memory == NULL only the size is counted. @return bytes used */
static size_t layout_layers(struct step *step, char *memory, size_t arena_used)
{
    const size_t batch = (size_t)step->count;

    for (int i = 0; i < step->net->count; i++) {
        const struct layer *layer = &step->net->layers[i];
        const size_t out = batch * shape_elements(&layer->out);

        step->d_out[i] =
            arena_allocate(memory, &arena_used, out * sizeof(float));
        step->d_out_grad[i] =
            arena_allocate(memory, &arena_used, out * sizeof(float));
        switch (layer->kind) {
        case LAYER_MAXPOOL:
            step->d_argmax[i] =
                arena_allocate(memory, &arena_used, out * sizeof(int));
            break;
        case LAYER_BATCHNORM:
            step->d_saved[i] = arena_allocate(
                memory, &arena_used, 2 * layer->weights * sizeof(float));
            break;
        case LAYER_CONV:
        case LAYER_RELU:
        case LAYER_DROPOUT:
        case LAYER_AVGPOOL:
        case LAYER_ADD:
        case LAYER_DENSE:
            break;
        }
    }
    return arena_used;
}

size_t step_layout(const struct network *net, int batch, size_t workspace,
                   void *memory, struct step *step)
{
    const size_t images = (size_t)batch, parameter_count = net->parameters;
    const size_t float_bytes = sizeof(float);
    size_t arena_used = 0;

    memset(step, 0, sizeof *step);
    step->net = net;
    step->count = batch;
    step->d_images = arena_allocate(
        memory, &arena_used, images * shape_elements(&net->in) * float_bytes);
    step->d_labels = arena_allocate(memory, &arena_used, images);
    step->d_predicted = arena_allocate(memory, &arena_used, images);
    step->d_parameters =
        arena_allocate(memory, &arena_used, parameter_count * float_bytes);
    step->d_gradients =
        arena_allocate(memory, &arena_used, parameter_count * float_bytes);
    step->d_moment1 =
        arena_allocate(memory, &arena_used, parameter_count * float_bytes);
    step->d_moment2 =
        arena_allocate(memory, &arena_used, parameter_count * float_bytes);
    step->d_running_stats = arena_allocate(
        memory, &arena_used, step_running_stats_count(net) * float_bytes);
    step->d_learning_rate = arena_allocate(memory, &arena_used, float_bytes);
    step->d_step = arena_allocate(memory, &arena_used, sizeof(int));
    step->d_totals = arena_allocate(memory, &arena_used, 2 * float_bytes);
    step->d_workspace = arena_allocate(memory, &arena_used, workspace);
    return layout_layers(step, memory, arena_used);
}

size_t step_running_stats_offset(const struct network *net, int layer)
{
    size_t sum = 0;

    for (int i = 0; i < layer; i++)
        if (net->layers[i].kind == LAYER_BATCHNORM)
            sum += 2 * net->layers[i].weights;
    return sum;
}

size_t step_running_stats_count(const struct network *net)
{
    return step_running_stats_offset(net, net->count);
}

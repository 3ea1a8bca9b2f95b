/* SPDX-License-Identifier: MIT */
/** @file
 *  See network.h: names, sizes, hash, initialization. network_read.c
 *  parses, network_shapes.c infers shapes. */
#include "network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/data/random_bits.h"

static const char *const optimizers[] = {"sgd", "momentum", "nesterov",
                                         "adam", "adamw"};
static const char *const schedules[] = {"constant", "cosine", "step"};
enum {
    OPTIMIZER_COUNT = sizeof optimizers / sizeof *optimizers,
    SCHEDULE_COUNT = sizeof schedules / sizeof *schedules
};

const char *optimizer_name(enum optimizer optimizer)
{
    return optimizers[optimizer];
}

/* Index of a name in a list.  @return -1 if it is not there */
static int find_name(const char *name, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0) return i;
    return -1;
}

bool optimizer_parse(const char *name, enum optimizer *optimizer)
{
    const int index = find_name(name, optimizers, OPTIMIZER_COUNT);

    if (index >= 0) *optimizer = (enum optimizer)index;
    return index >= 0;
}

const char *schedule_name(enum lr_schedule schedule)
{
    return schedules[schedule];
}

bool schedule_parse(const char *name, enum lr_schedule *schedule)
{
    const int index = find_name(name, schedules, SCHEDULE_COUNT);

    if (index >= 0) *schedule = (enum lr_schedule)index;
    return index >= 0;
}

size_t shape_elements(const struct image_shape *shape)
{
    return (size_t)shape->channels * (size_t)shape->height
           * (size_t)shape->width;
}

/* Inputs that are multiplied and summed for one output; 0 without weights. */
static size_t fan_in(const struct layer *layer)
{
    switch (layer->kind) {
    case LAYER_DENSE:
        return shape_elements(&layer->in);
    case LAYER_CONV:
        return (size_t)layer->in.channels * (size_t)layer->rows
               * (size_t)layer->columns;
    case LAYER_RELU:
    case LAYER_MAXPOOL:
    case LAYER_BATCHNORM:
    case LAYER_DROPOUT:
    case LAYER_AVGPOOL:
    case LAYER_ADD:
        break;
    }
    return 0;
}

double network_macs(const struct network *net)
{
    double sum = 0;

    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];

        sum += (double)fan_in(layer) * (double)shape_elements(&layer->out);
    }
    return sum;
}

/* Set `count` floats on the host. */
static void fill(float *to, size_t count, float value)
{
    for (size_t i = 0; i < count; i++) to[i] = value;
}

/* Uniform in [-bound, bound). */
static void fill_uniform(float *to, size_t count, double bound, uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (float)((2 * random_uniform01(state) - 1) * bound);
}

/* Continue an FNV-1a hash (Fowler, Noll and Vo) with a line. */
static uint64_t fnv1a(uint64_t hash, const char *line)
{
    for (; *line; line++)
        hash = (hash ^ (unsigned char)*line) * 0x100000001b3u;
    return hash;
}

uint64_t network_hash(const struct network *net)
{
    uint64_t all = 0xcbf29ce484222325u;
    char line[160];

    for (int i = 0; i < net->count; i++) {
        const struct layer *l = &net->layers[i];

        snprintf(line, sizeof line, "%s %d %d %d %d %d %.9g %d\n", l->name,
                 l->rows, l->columns, l->stride, l->pad, l->out.channels,
                 (double)l->drop, l->source);
        all = fnv1a(all, line);
    }
    snprintf(line, sizeof line, "%d %d %d", net->training.pad,
             net->training.cutout, net->training.flip);
    return fnv1a(all, line);
}

void network_initialize(const struct network *net, float *parameters,
                        uint64_t seed)
{
    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];
        float *weights = parameters + layer->weight_offset;
        float *biases = parameters + layer->bias_offset;
        uint64_t state = random_state(seed, 0x6e6574, (uint64_t)i);
        double bound;

        switch (layer->kind) {
        case LAYER_CONV:
        case LAYER_DENSE:
            bound = 1 / sqrt((double)fan_in(layer));
            fill_uniform(weights, layer->weights, bound, &state);
            fill_uniform(biases, layer->biases, bound, &state);
            break;
        case LAYER_BATCHNORM:
            fill(weights, layer->weights, 1);
            fill(biases, layer->biases, 0);
            break;
        case LAYER_RELU:
        case LAYER_MAXPOOL:
        case LAYER_DROPOUT:
        case LAYER_AVGPOOL:
        case LAYER_ADD:
            break;
        }
    }
}

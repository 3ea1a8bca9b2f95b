/* SPDX-License-Identifier: MIT */
/** @file
 *  See network.h: shapes, parameters, beginnings.  network_read.c reads. */
#include "network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/data/random_bits.h"

static const char *const optimizers[] = {"sgd", "momentum", "nesterov",
                                         "adam", "adamw"};
static const char *const schedules[] = {"constant", "cosine", "step"};
enum {
    OPTIMIZERS = sizeof optimizers / sizeof *optimizers,
    SCHEDULES = sizeof schedules / sizeof *schedules
};

const char *optimizer_name(enum optimizer optimizer)
{
    return optimizers[optimizer];
}

/* Where a name stands in a list.  @return -1 when it does not */
static int place_of(const char *name, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0) return i;
    return -1;
}

bool optimizer_named(const char *name, enum optimizer *optimizer)
{
    const int place = place_of(name, optimizers, OPTIMIZERS);

    if (place >= 0) *optimizer = (enum optimizer)place;
    return place >= 0;
}

const char *schedule_name(enum rate_schedule schedule)
{
    return schedules[schedule];
}

bool schedule_named(const char *name, enum rate_schedule *schedule)
{
    const int place = place_of(name, schedules, SCHEDULES);

    if (place >= 0) *schedule = (enum rate_schedule)place;
    return place >= 0;
}

size_t layer_elements(const struct image_shape *shape)
{
    return (size_t)shape->channels * (size_t)shape->height
           * (size_t)shape->width;
}

/* What one output of a layer is made of. */
static size_t inputs_of(const struct layer *layer)
{
    return layer->kind == LAYER_DENSE
               ? layer_elements(&layer->in)
               : (size_t)layer->in.channels * (size_t)layer->rows
                     * (size_t)layer->columns;
}

double network_multiply_adds(const struct network *net)
{
    double sum = 0;

    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];

        if (layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE)
            sum += (double)inputs_of(layer)
                   * (double)layer_elements(&layer->out);
    }
    return sum;
}

static void fill(float *to, size_t count, float value)
{
    for (size_t i = 0; i < count; i++) to[i] = value;
}

static void draw(float *to, size_t count, double reach, uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (float)((2 * random_unit(state) - 1) * reach);
}

/* FNV-1a of a line (Fowler, Noll and Vo), going on from others. */
static uint64_t digest(uint64_t so_far, const char *line)
{
    for (; *line; line++)
        so_far = (so_far ^ (unsigned char)*line) * 0x100000001b3u;
    return so_far;
}

uint64_t network_digest(const struct network *net)
{
    uint64_t all = 0xcbf29ce484222325u;
    char line[160];

    for (int i = 0; i < net->count; i++) {
        const struct layer *l = &net->layers[i];

        snprintf(line, sizeof line, "%s %d %d %d %d %d %.9g\n", l->name,
                 l->rows, l->columns, l->stride, l->pad, l->out.channels,
                 (double)l->drop);
        all = digest(all, line);
    }
    snprintf(line, sizeof line, "%d %d %d", net->training.pad,
             net->training.cutout, net->training.flip);
    return digest(all, line);
}

void network_initialise(const struct network *net, float *parameters,
                        uint64_t seed)
{
    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];
        uint64_t state = random_state(seed, 0x6e6574, (uint64_t)i);

        if (layer->kind == LAYER_BATCHNORM) {
            fill(parameters + layer->weight_at, layer->weights, 1);
            fill(parameters + layer->bias_at, layer->biases, 0);
        } else if (layer->weights) {
            const double reach = 1 / sqrt((double)inputs_of(layer));

            draw(parameters + layer->weight_at, layer->weights, reach,
                 &state);
            draw(parameters + layer->bias_at, layer->biases, reach, &state);
        }
    }
}

/* SPDX-License-Identifier: MIT */
/* See checkpoint.h. */
#include "checkpoint.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint_list.h"
#include "common/net/safetensors.h"
#include "common/net/step.h"

struct checkpoint *checkpoint_allocate(const struct network *net)
{
    struct checkpoint *state = calloc(1, sizeof *state);

    if (!state)
        return NULL;
    state->net = net;
    /* One more than needed: calloc(0) may return NULL, which is not a failure.
     */
    state->parameters = calloc(net->parameters + 1, sizeof(float));
    state->moments = calloc(2 * net->parameters + 1, sizeof(float));
    state->running = calloc(step_running_stats_count(net) + 1, sizeof(float));
    if (!state->parameters || !state->moments || !state->running) {
        checkpoint_free(state);
        return NULL;
    }
    return state;
}

void checkpoint_free(struct checkpoint *state)
{
    if (!state)
        return;
    free(state->parameters);
    free(state->moments);
    free(state->running);
    history_free(&state->history);
    free(state);
}

/* A checkpoint with a NaN or an infinity could not be trained on. */
static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* Weights or biases at this offset, and their moments. */
static bool block_finite(const struct checkpoint *state, size_t offset,
                         size_t count)
{
    return all_finite(state->parameters + offset, count)
           && all_finite(state->moments + offset, count)
           && all_finite(state->moments + state->net->parameters + offset,
                         count);
}

const char *checkpoint_find_nonfinite(const struct checkpoint *state)
{
    for (int i = 0; i < state->net->count; i++) {
        const struct layer *layer = &state->net->layers[i];
        const float *running =
            state->running + step_running_stats_offset(state->net, i);
        const size_t statistics =
            layer->kind == LAYER_BATCHNORM ? 2 * layer->weights : 0;

        if (!block_finite(state, layer->weight_offset, layer->weights)
            || !block_finite(state, layer->bias_offset, layer->biases)
            || !all_finite(running, statistics))
            return layer->name;
    }
    return NULL;
}

/* One vector of floats by default; the caller sets another shape. */
static struct tensor *add(struct listing *to, const char *layer,
                          const char *part, const void *data)
{
    struct tensor *t = &to->list[to->count++];

    *t = (struct tensor){.type = TENSOR_F32, .rank = 1, .data = data};
    snprintf(t->name, sizeof t->name, "%s.%s", layer, part);
    return t;
}

void transpose_matrix(const float *from, size_t rows, size_t columns, float *to)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            to[j * rows + i] = from[i * columns + j];
}

/* Shapes and order are those of PyTorch's state_dict for the same layer. */
static void add_weight(struct listing *to, const struct layer *layer,
                       const float *weights)
{
    struct tensor *t = add(to, layer->name, "weight", weights);

    switch (layer->kind) {
    case LAYER_BATCHNORM:
        t->size[0] = layer->weights;
        break;
    case LAYER_CONV:
        t->rank = 4;
        t->size[0] = (size_t)layer->out.channels;
        t->size[1] = (size_t)layer->in.channels;
        t->size[2] = (size_t)layer->rows;
        t->size[3] = (size_t)layer->columns;
        break;
    case LAYER_DENSE:
        /* Here y = x W with W [in][out]; PyTorch's Linear has [out][in]. */
        t->rank = 2;
        t->size[0] = (size_t)layer->out.channels;
        t->size[1] = shape_elements(&layer->in);
        transpose_matrix(weights, t->size[1], t->size[0],
                         to->transposed + layer->weight_offset);
        t->data = to->transposed + layer->weight_offset;
        break;
    case LAYER_RELU:
    case LAYER_MAXPOOL:
    case LAYER_DROPOUT:
    case LAYER_AVGPOOL:
    case LAYER_ADD:
        break; /* no weights */
    }
}

void list_layers(const struct checkpoint *state, struct listing *to)
{
    for (int i = 0; i < state->net->count; i++) {
        const struct layer *layer = &state->net->layers[i];
        const float *running =
            state->running + step_running_stats_offset(state->net, i);

        if (!layer->weights)
            continue;
        add_weight(to, layer, state->parameters + layer->weight_offset);
        add(to, layer->name, "bias", state->parameters + layer->bias_offset)
            ->size[0] = layer->biases;
        if (layer->kind != LAYER_BATCHNORM)
            continue;
        add(to, layer->name, "running_mean", running)->size[0] =
            layer->weights;
        add(to, layer->name, "running_var", running + layer->weights)
            ->size[0] = layer->weights;
    }
}

void list_normalization(const struct checkpoint *state, struct listing *to)
{
    const size_t channels = (size_t)state->net->in.channels;

    add(to, "data", "mean", state->mean)->size[0] = channels;
    add(to, "data", "scale", state->std)->size[0] = channels;
}

void list_training_state(const struct checkpoint *state,
                         const int64_t *position, struct listing *to)
{
    struct tensor *t = add(to, "train", "moments", state->moments);

    t->rank = 2;
    t->size[0] = 2;
    t->size[1] = state->net->parameters;
    t = add(to, "train", "place", position);
    t->type = TENSOR_I64;
    t->size[0] = 3;
    add(to, "train", "totals", state->totals)->size[0] = 2;
    t = add(to, "train", "history", state->history.row);
    t->rank = 2;
    t->size[0] = state->history.count;
    t->size[1] = EPOCH_COLUMNS;
    t = add(to, "train", "points", state->history.point);
    t->rank = 2;
    t->size[0] = state->history.points;
    t->size[1] = POINT_COLUMNS;
    add(to, "train", "mark", state->history.mark)->size[0] = 3;
}

/* The metadata of a checkpoint, while it is written. */
struct entries {
    struct tensor_metadata list[TENSOR_MAX_METADATA];
    size_t count;
    bool ok; /* false: no memory */
};

/* Add an entry; takes the text. */
static void add_entry(struct entries *to, const char *name, char *text)
{
    struct tensor_metadata *entry = &to->list[to->count];

    to->ok = to->ok && text;
    if (!text)
        return;
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->text = text;
    to->count++;
}

/* Metadata of safetensors are strings. */
static void add_number(struct entries *to, const char *name, size_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%zu", value);
    add_entry(to, name, strdup(text));
}

/* A folder's name may have any bytes, but JSON's strings are UTF-8: another
 * name is an array of its bytes. */
static json_t *name_to_json(const char *name)
{
    json_t *string = json_string(name), *bytes;

    if (string)
        return string;
    bytes = json_array();
    for (; *name; name++)
        json_array_append_new(bytes, json_integer((unsigned char)*name));
    return bytes;
}

/* The class names as a JSON array. */
static void add_class_names(struct entries *to, const struct dataset *trained)
{
    json_t *names = json_array();

    for (int i = 0; trained->names && i < trained->classes; i++)
        json_array_append_new(names, name_to_json(trained->names[i]));
    if (trained->names)
        add_entry(to, "classes", json_dumps(names, JSON_COMPACT));
    json_decref(names);
}

/* Add the description from which `predict` and `evaluate` rebuild the network
 * and name its classes. */
static void add_description(struct entries *to,
                            const struct checkpoint *state,
                            const struct checkpoint_about *about)
{
    const struct image_shape *in = &state->net->in;
    char shape[80];

    snprintf(shape, sizeof shape, "%d %d %d %d", in->channels, in->height,
             in->width, state->net->classes);
    add_entry(to, "shape", strdup(shape));
    add_number(to, "images", about->images);
    add_entry(to, "network", strdup(about->network));
    add_class_names(to, &about->trained);
}

/* Layers, then the state of the optimizer and the position in the data, then
 * the statistics of the normalization. */
static bool write_tensors(const struct checkpoint *state,
                          struct entries *entries, const char *path,
                          struct failure *failure)
{
    const int64_t position[] = {state->step, state->epoch, state->batch};
    struct listing to = {
        .transposed = malloc((state->net->parameters + 1) * sizeof(float))};
    struct tensors all = {.list = to.list, .metadata = entries->list,
                          .metadata_count = entries->count};
    bool ok;

    /* The list points into the state; only dense weights are copied. */
    if (!to.transposed)
        return fail(failure, "no memory for a checkpoint");
    list_layers(state, &to);
    list_training_state(state, position, &to);
    list_normalization(state, &to);
    all.count = to.count;
    ok = safetensors_write(path, &all, failure);
    free(to.transposed);
    return ok;
}

bool checkpoint_write(const struct checkpoint *state, const char *path,
                      const struct train_options *options,
                      const struct checkpoint_about *about,
                      struct failure *failure)
{
    struct entries entries = {.ok = true};
    bool ok;

    entries.count = train_options_to_metadata(options, entries.list);
    add_description(&entries, state, about);
    ok = entries.ok ? write_tensors(state, &entries, path, failure)
                    : fail(failure, "no memory for a checkpoint");
    for (size_t i = 0; i < entries.count; i++) free(entries.list[i].text);
    return ok;
}

/* SPDX-License-Identifier: MIT */
/* See checkpoint.h. */
#include "checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "common/net/safetensors.h"
#include "common/net/step.h"

/* A batchnorm has four arrays, every other layer fewer; 16 are more than the
 * training's own. */
enum { ARRAYS = 4 * NETWORK_LAYERS + 16 };

struct checkpoint *checkpoint_make(const struct network *net)
{
    struct checkpoint *state = calloc(1, sizeof *state);

    if (!state)
        return NULL;
    state->net = net;
    /* One more than wanted: calloc(0) may return NULL, which is no failure. */
    state->parameters = calloc(net->parameters + 1, sizeof(float));
    state->moments = calloc(2 * net->parameters + 1, sizeof(float));
    state->running = calloc(step_running(net) + 1, sizeof(float));
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
    free(state);
}

/* A list of arrays being made, with their memory. */
struct listing {
    struct tensor list[ARRAYS];
    size_t count;
    float *turned; /* dense weights as PyTorch has them */
};

static struct tensor *add(struct listing *to, const char *layer,
                          const char *part, const void *data)
{
    struct tensor *t = &to->list[to->count++];

    *t = (struct tensor){.type = TENSOR_F32, .rank = 1, .data = data};
    snprintf(t->name, sizeof t->name, "%s.%s", layer, part);
    return t;
}

/* [in][out] as [out][in], or the other way round. */
static void turn(const float *from, size_t rows, size_t columns, float *to)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            to[j * rows + i] = from[i * columns + j];
}

static void add_weight(struct listing *to, const struct layer *layer,
                       const float *weights)
{
    struct tensor *t = add(to, layer->name, "weight", weights);

    if (layer->kind == LAYER_BATCHNORM) {
        t->size[0] = layer->weights;
    } else if (layer->kind == LAYER_CONV) {
        t->rank = 4;
        t->size[0] = (size_t)layer->out.channels;
        t->size[1] = (size_t)layer->in.channels;
        t->size[2] = (size_t)layer->rows;
        t->size[3] = (size_t)layer->columns;
    } else {
        /* Here X W with a row an input, there X W^T with a row an output. */
        t->rank = 2;
        t->size[0] = (size_t)layer->out.channels;
        t->size[1] = layer_elements(&layer->in);
        turn(weights, t->size[1], t->size[0], to->turned + layer->weight_at);
        t->data = to->turned + layer->weight_at;
    }
}

/* All arrays of layers; what they hold is the state's or a copy. */
static void list_layers(const struct checkpoint *state, struct listing *to)
{
    for (int i = 0; i < state->net->count; i++) {
        const struct layer *layer = &state->net->layers[i];
        const float *running =
            state->running + step_running_at(state->net, i);

        if (!layer->weights)
            continue;
        add_weight(to, layer, state->parameters + layer->weight_at);
        add(to, layer->name, "bias", state->parameters + layer->bias_at)
            ->size[0] = layer->biases;
        if (layer->kind != LAYER_BATCHNORM)
            continue;
        add(to, layer->name, "running_mean", running)->size[0] =
            layer->weights;
        add(to, layer->name, "running_var", running + layer->weights)
            ->size[0] = layer->weights;
    }
}

/* What PyTorch has no use for.  The place is in 64-bit integers: a float has
 * lost the last digit of a step after 2^24 of them. */
static void list_rest(const struct checkpoint *state, const int64_t *place,
                      struct listing *to)
{
    const size_t channels = (size_t)state->net->in.channels;
    struct tensor *t = add(to, "train", "moments", state->moments);

    t->rank = 2;
    t->size[0] = 2;
    t->size[1] = state->net->parameters;
    t = add(to, "train", "place", place);
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
    add(to, "data", "mean", state->mean)->size[0] = channels;
    add(to, "data", "scale", state->scale)->size[0] = channels;
}

/* The classes' names, parted by bars, as long as there is room. */
static void note_classes(const struct dataset *set, struct tensor_note *note)
{
    size_t used = 0;

    strcpy(note->name, "names");
    for (int i = 0; i < set->classes && used < sizeof note->text; i++)
        used += (size_t)snprintf(note->text + used, sizeof note->text - used,
                                 "%s|", set->names[i]);
}

bool checkpoint_write(const struct checkpoint *state, const char *folder,
                      const struct train_options *options,
                      const struct dataset *set, struct failure *failure)
{
    const int64_t place[] = {state->step, state->epoch, state->batch};
    const struct image_shape *in = &state->net->in;
    struct listing to = {.turned = malloc((state->net->parameters + 1)
                                          * sizeof(float))};
    struct tensor_note notes[TENSOR_NOTES] = {0};
    struct tensors all = {.list = to.list, .notes = notes};
    char path[4096];
    bool ok;

    /* The list points into the state; nothing but dense weights is copied. */
    if (!to.turned)
        return fail(failure, "no memory for a checkpoint");
    list_layers(state, &to);
    list_rest(state, place, &to);
    all.list = to.list;
    all.count = to.count;
    all.note_count = train_options_notes(options, notes);
    strcpy(notes[all.note_count].name, "shape");
    snprintf(notes[all.note_count++].text, sizeof notes->text, "%d %d %d %d",
             in->channels, in->height, in->width, state->net->classes);
    strcpy(notes[all.note_count].name, "network");
    snprintf(notes[all.note_count++].text, sizeof notes->text, "%016llx",
             (unsigned long long)network_digest(state->net));
    if (set->names)
        note_classes(set, &notes[all.note_count++]);
    snprintf(path, sizeof path, "%s/checkpoint.safetensors", folder);
    ok = safetensors_write(path, &all, failure);
    free(to.turned);
    return ok;
}

bool checkpoint_shape(const struct tensors *from, struct image_shape *shape,
                      int *classes)
{
    const char *text = tensors_note(from, "shape");

    return text && sscanf(text, "%d %d %d %d", &shape->channels,
                          &shape->height, &shape->width, classes) == 4;
}

bool checkpoint_fits(const struct network *net, const struct tensors *from,
                     const char *path, struct failure *failure)
{
    const char *text = tensors_note(from, "network");
    char own[20];

    snprintf(own, sizeof own, "%016llx",
             (unsigned long long)network_digest(net));
    return !text || !strcmp(text, own)
           || fail(failure, "%s: was trained with another %s.net than there "
                            "is now", path, net->name);
}

/* The file's array of that name and shape. */
static const struct tensor *wanted(const struct tensors *from,
                                   const struct tensor *like, const char *path,
                                   struct failure *failure)
{
    const struct tensor *t = tensors_find(from, like->name);

    if (!t)
        fail(failure, "%s: there is no %s", path, like->name);
    else if (t->type != like->type || t->rank != like->rank
             || memcmp(t->size, like->size,
                       (size_t)t->rank * sizeof *t->size)) {
        fail(failure, "%s: %s has another shape than the network's", path,
             like->name);
        return NULL;
    }
    return t;
}

/* The same list that is written says what must be there, and where it goes: a
 * layer that is written cannot be forgotten here. */
static bool take_layers(struct checkpoint *state, const struct tensors *from,
                        const char *path, struct failure *failure)
{
    struct listing to = {.turned = calloc(state->net->parameters + 1,
                                          sizeof(float))};
    bool ok = to.turned || fail(failure, "no memory");

    if (ok)
        list_layers(state, &to);
    for (size_t i = 0; ok && i < to.count; i++) {
        const struct tensor *t = wanted(from, &to.list[i], path, failure);

        ok = t != NULL;
        if (ok) /* the arrays are the state's, const only for a writer */
            memcpy((void *)to.list[i].data, t->data, tensor_bytes(t));
    }
    for (int i = 0; ok && i < state->net->count; i++) {
        const struct layer *layer = &state->net->layers[i];

        if (layer->kind == LAYER_DENSE)
            turn(to.turned + layer->weight_at, (size_t)layer->out.channels,
                 layer_elements(&layer->in),
                 state->parameters + layer->weight_at);
    }
    free(to.turned);
    return ok;
}

bool checkpoint_take(struct checkpoint *state, const struct tensors *from,
                     bool whole, const char *path, struct failure *failure)
{
    int64_t place[3] = {0};
    struct listing to = {.count = 0};
    const struct tensor *t = tensors_find(from, "train.history");
    const struct tensor *points = tensors_find(from, "train.points");

    if (!take_layers(state, from, path, failure))
        return false;
    if (!whole)
        return true;
    /* The tables grow from epoch to epoch: their lengths are believed only up
     * to the room there is, and then asked for like any other shape. */
    if (!t || !points)
        return fail(failure, "%s: holds weights alone, no training", path);
    if (t->rank != 2 || t->size[0] > HISTORY_EPOCHS || points->rank != 2
        || points->size[0] > HISTORY_POINTS)
        return fail(failure, "%s: train.history is no table", path);
    state->history.count = t->size[0];
    state->history.points = points->size[0];
    list_rest(state, place, &to);
    for (size_t i = 0; i < to.count; i++) {
        t = wanted(from, &to.list[i], path, failure);
        if (!t)
            return false;
        if (tensor_bytes(t))
            memcpy((void *)to.list[i].data, t->data, tensor_bytes(t));
    }
    state->step = place[0];
    state->epoch = place[1];
    state->batch = place[2];
    return true;
}

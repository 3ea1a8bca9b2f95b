/* SPDX-License-Identifier: MIT */
/* See checkpoint.h. */
#include "checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "common/net/safetensors.h"
#include "common/net/step.h"

/* At most four tensors per layer (batchnorm), 16 for the training state. */
enum { MAX_ARRAYS = 4 * NETWORK_MAX_LAYERS + 16 };

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
    free(state);
}

/* A list of tensors, and memory for transposed ones. */
struct listing {
    struct tensor list[MAX_ARRAYS];
    size_t count;
    float *transposed; /* dense weights in PyTorch's layout */
};

static struct tensor *add(struct listing *to, const char *layer,
                          const char *part, const void *data)
{
    struct tensor *t = &to->list[to->count++];

    *t = (struct tensor){.type = TENSOR_F32, .rank = 1, .data = data};
    snprintf(t->name, sizeof t->name, "%s.%s", layer, part);
    return t;
}

/* Transpose a row-major matrix. */
static void transpose(const float *from, size_t rows, size_t columns, float *to)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            to[j * rows + i] = from[i * columns + j];
}

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
        transpose(weights, t->size[1], t->size[0],
                  to->transposed + layer->weight_offset);
        t->data = to->transposed + layer->weight_offset;
        break;
    case LAYER_RELU:
    case LAYER_MAXPOOL:
    case LAYER_DROPOUT:
        break; /* no weights */
    }
}

/* List the tensors of all layers; they point to the state or to a copy. */
static void list_layers(const struct checkpoint *state, struct listing *to)
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

/* List the training state, which PyTorch does not need.  The position is
 * stored as 64-bit integers: a float counts steps exactly only up to 2^24. */
static void list_training_state(const struct checkpoint *state,
                                const int64_t *position, struct listing *to)
{
    const size_t channels = (size_t)state->net->in.channels;
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
    add(to, "data", "mean", state->mean)->size[0] = channels;
    add(to, "data", "scale", state->std)->size[0] = channels;
}

/* The class names, separated by '|', as long as there is room. */
static void add_class_names(const struct dataset *set,
                            struct tensor_metadata *entry)
{
    size_t used = 0;

    strcpy(entry->name, "names");
    for (int i = 0; i < set->classes && used < sizeof entry->text; i++)
        used += (size_t)snprintf(entry->text + used, sizeof entry->text - used,
                                 "%s|", set->names[i]);
}

bool checkpoint_write(const struct checkpoint *state, const char *folder,
                      const struct train_options *options,
                      const struct dataset *set, struct failure *failure)
{
    const int64_t position[] = {state->step, state->epoch, state->batch};
    const struct image_shape *in = &state->net->in;
    struct listing to = {
        .transposed = malloc((state->net->parameters + 1) * sizeof(float))};
    struct tensor_metadata metadata[TENSOR_MAX_METADATA] = {0};
    struct tensors all = {.list = to.list, .metadata = metadata};
    char path[4096];
    bool ok;

    /* The list points into the state; only dense weights are copied. */
    if (!to.transposed)
        return fail(failure, "no memory for a checkpoint");
    list_layers(state, &to);
    list_training_state(state, position, &to);
    all.list = to.list;
    all.count = to.count;
    all.metadata_count = train_options_to_metadata(options, metadata);
    strcpy(metadata[all.metadata_count].name, "shape");
    snprintf(metadata[all.metadata_count++].text, sizeof metadata->text,
             "%d %d %d %d", in->channels, in->height, in->width,
             state->net->classes);
    strcpy(metadata[all.metadata_count].name, "network");
    snprintf(metadata[all.metadata_count++].text, sizeof metadata->text,
             "%016llx", (unsigned long long)network_hash(state->net));
    if (set->names)
        add_class_names(set, &metadata[all.metadata_count++]);
    snprintf(path, sizeof path, "%s/checkpoint.safetensors", folder);
    ok = safetensors_write(path, &all, failure);
    free(to.transposed);
    return ok;
}

bool checkpoint_shape(const struct tensors *from, struct image_shape *shape,
                      int *classes)
{
    const char *text = tensors_metadata(from, "shape");

    return text && sscanf(text, "%d %d %d %d", &shape->channels,
                          &shape->height, &shape->width, classes) == 4;
}

bool checkpoint_matches_network(const struct network *net,
                                const struct tensors *from, const char *path,
                                struct failure *failure)
{
    const char *text = tensors_metadata(from, "network");
    char own[20];

    snprintf(own, sizeof own, "%016llx",
             (unsigned long long)network_hash(net));
    return !text || !strcmp(text, own)
           || fail(failure,
                   "%s: was trained with another %s.net than the "
                   "current one",
                   path, net->name);
}

/* The file's tensor with this name, type and shape; NULL with a message. */
static const struct tensor *find_matching(const struct tensors *from,
                                          const struct tensor *like,
                                          const char *path,
                                          struct failure *failure)
{
    const struct tensor *t = tensors_find(from, like->name);

    if (!t)
        fail(failure, "%s: tensor %s is missing", path, like->name);
    else if (t->type != like->type || t->rank != like->rank
             || memcmp(t->size, like->size,
                       (size_t)t->rank * sizeof *t->size)) {
        fail(failure, "%s: the shape of %s is not the network's", path,
             like->name);
        return NULL;
    }
    return t;
}

/* Load the tensors of all layers.  The list used for writing names the
 * required tensors and their destinations, so that reading and writing cannot
 * diverge. */
static bool load_layers(struct checkpoint *state, const struct tensors *from,
                        const char *path, struct failure *failure)
{
    struct listing to = {.transposed =
                             calloc(state->net->parameters + 1, sizeof(float))};
    bool ok = to.transposed || fail(failure, "no memory");

    if (ok)
        list_layers(state, &to);
    for (size_t i = 0; ok && i < to.count; i++) {
        const struct tensor *t =
            find_matching(from, &to.list[i], path, failure);

        ok = t != NULL;
        if (ok) /* the arrays belong to the state; const is for the writer */
            memcpy((void *)to.list[i].data, t->data, tensor_bytes(t));
    }
    for (int i = 0; ok && i < state->net->count; i++) {
        const struct layer *layer = &state->net->layers[i];

        if (layer->kind == LAYER_DENSE)
            transpose(to.transposed + layer->weight_offset,
                      (size_t)layer->out.channels, shape_elements(&layer->in),
                      state->parameters + layer->weight_offset);
    }
    free(to.transposed);
    return ok;
}

bool checkpoint_load(struct checkpoint *state, const struct tensors *from,
                     bool whole, const char *path, struct failure *failure)
{
    int64_t position[3] = {0};
    struct listing to = {.count = 0};
    const struct tensor *t = tensors_find(from, "train.history");
    const struct tensor *points = tensors_find(from, "train.points");

    if (!load_layers(state, from, path, failure))
        return false;
    if (!whole)
        return true;
    /* The tables grow with each epoch: their lengths are untrusted; they are
     * checked against the capacity before the shapes are compared. */
    if (!t || !points)
        return fail(failure, "%s: contains weights only, no training state",
                    path);
    if (t->rank != 2 || t->size[0] > HISTORY_EPOCHS || points->rank != 2
        || points->size[0] > HISTORY_POINTS)
        return fail(failure, "%s: train.history is not a table", path);
    state->history.count = t->size[0];
    state->history.points = points->size[0];
    list_training_state(state, position, &to);
    for (size_t i = 0; i < to.count; i++) {
        t = find_matching(from, &to.list[i], path, failure);
        if (!t)
            return false;
        if (tensor_bytes(t))
            memcpy((void *)to.list[i].data, t->data, tensor_bytes(t));
    }
    state->step = position[0];
    state->epoch = position[1];
    state->batch = position[2];
    return true;
}

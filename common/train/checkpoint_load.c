/* SPDX-License-Identifier: MIT */
/* See checkpoint.h: loading, whole or in part, and what a file says about
 * itself. */
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint_list.h"
#include "common/net/safetensors.h"

/* --- tensors ------------------------------------------------------------- */

/* Copy a tensor to the place that the list names, if shape and kind of dtype
 * are equal; floating-point numbers are converted.  @return false if not */
static bool copy_tensor(const struct tensor *from, const struct tensor *to)
{
    if (from->rank != to->rank
        || memcmp(from->size, to->size, (size_t)to->rank * sizeof *to->size))
        return false;
    /* The arrays belong to the state; const is for the writer. */
    if (to->type == TENSOR_F32 && tensor_is_real(from))
        tensor_to_floats(from, (void *)to->data);
    else if (from->type != to->type)
        return false;
    else if (tensor_bytes(from))
        memcpy((void *)to->data, from->data, tensor_bytes(from));
    return true;
}

/* Copy the tensors of a list from a file, all of them. */
static bool copy_all(const struct listing *to, const struct tensors *from,
                     const char *path, struct failure *failure)
{
    char own[128], other[128];

    for (size_t i = 0; i < to->count; i++) {
        const struct tensor *wanted = &to->list[i];
        const struct tensor *t = tensors_find(from, wanted->name);

        if (!t)
            return fail(failure, "%s: tensor %s is missing", path,
                        wanted->name);
        if (!copy_tensor(t, wanted))
            return fail(failure, "%s: %s is %s, the network needs %s", path,
                        t->name, tensor_describe(t, other),
                        tensor_describe(wanted, own));
    }
    return true;
}

/* Back from PyTorch's layout. */
static void transpose_dense(struct checkpoint *state, const struct listing *to)
{
    for (int i = 0; i < state->net->count; i++) {
        const struct layer *layer = &state->net->layers[i];

        if (layer->kind == LAYER_DENSE)
            transpose_matrix(to->transposed + layer->weight_offset,
                             (size_t)layer->out.channels,
                             shape_elements(&layer->in),
                             state->parameters + layer->weight_offset);
    }
}

/* The list of the layers' tensors, for loading. */
static bool open_list(const struct checkpoint *state, struct listing *to,
                      struct failure *failure)
{
    *to = (struct listing){
        .transposed = calloc(state->net->parameters + 1, sizeof(float))};
    if (!to->transposed)
        return fail(failure, "no memory");
    list_layers(state, to);
    return true;
}

/* Dense weights come in PyTorch's order and are transposed after the copy. */
static bool load_layers(struct checkpoint *state, const struct tensors *from,
                        const char *path, struct failure *failure)
{
    struct listing to;
    bool ok = open_list(state, &to, failure)
              && copy_all(&to, from, path, failure);

    if (ok)
        transpose_dense(state, &to);
    free(to.transposed);
    return ok;
}

/* The tables grow with each epoch: their lengths are untrusted; they are
 * checked against the file before memory is allocated. */
static bool reserve_history(struct checkpoint *state,
                            const struct tensors *from, const char *path,
                            struct failure *failure)
{
    const struct tensor *rows = tensors_find(from, "train.history");
    const struct tensor *points = tensors_find(from, "train.points");

    if (!rows || !points)
        return fail(failure, "%s: contains weights only, no training state",
                    path);
    if (rows->rank != 2 || rows->size[1] != EPOCH_COLUMNS || points->rank != 2
        || points->size[0] > HISTORY_POINTS)
        return fail(failure, "%s: train.history is not a table", path);
    if (!history_reserve(&state->history, rows->size[0], failure))
        return false;
    state->history.count = rows->size[0];
    state->history.points = points->size[0];
    return true;
}

/* The device counts steps in an int. */
static bool set_position(struct checkpoint *state, const int64_t position[3],
                         const char *path, struct failure *failure)
{
    state->step = position[0];
    state->epoch = position[1];
    state->batch = position[2];
    if (state->step >= 0 && state->step < INT_MAX && state->epoch >= 0
        && state->epoch < INT_MAX && state->batch >= 0
        && state->batch < INT_MAX
        && state->history.count == (size_t)state->epoch)
        return true;
    return fail(failure, "%s: step %" PRId64 ", epoch %" PRId64 ", batch %"
                PRId64 " and %zu rows of history is no position", path,
                state->step, state->epoch, state->batch, state->history.count);
}

/* Training goes on from this step with the same moments and history, hence to
 * the same bits. */
static bool load_training_state(struct checkpoint *state,
                                const struct tensors *from, const char *path,
                                struct failure *failure)
{
    int64_t position[3] = {0};
    struct listing to = {.count = 0};

    if (!reserve_history(state, from, path, failure))
        return false;
    list_training_state(state, position, &to);
    return copy_all(&to, from, path, failure)
           && set_position(state, position, path, failure);
}

/* A standard deviation of 0 would divide by it. */
static bool check_values(const struct checkpoint *state, const char *path,
                         struct failure *failure)
{
    const char *layer = checkpoint_find_nonfinite(state);

    for (int c = 0; c < state->net->in.channels; c++)
        if (!isfinite(state->mean[c]) || !isfinite(state->std[c])
            || state->std[c] <= 0)
            return fail(failure, "%s: the normalization of channel %d is "
                        "invalid", path, c);
    return !layer || fail(failure, "%s: %s has values that are not finite",
                          path, layer);
}

bool checkpoint_load(struct checkpoint *state, const struct tensors *from,
                     enum checkpoint_part part, const char *path,
                     struct failure *failure)
{
    struct listing normalization = {.count = 0};

    if (!load_layers(state, from, path, failure))
        return false;
    if (part == CHECKPOINT_WEIGHTS)
        return true;
    list_normalization(state, &normalization);
    return (part == CHECKPOINT_MODEL
            || load_training_state(state, from, path, failure))
           && copy_all(&normalization, from, path, failure)
           && check_values(state, path, failure);
}

/* --- in part -------------------------------------------------------------- */

/* A line for a tensor of the network.  @return true if it was loaded */
static bool load_one(const struct tensor *to, const struct tensors *from,
                     FILE *out)
{
    const struct tensor *t = tensors_find(from, to->name);
    char own[128], other[128];

    tensor_describe(to, own);
    if (!t)
        fprintf(out, "not loaded  %s: network %s, not in the file\n", to->name,
                own);
    else if (!copy_tensor(t, to))
        fprintf(out, "not loaded  %s: network %s, file %s\n", to->name, own,
                tensor_describe(t, other));
    else
        fprintf(out, "loaded      %s: %s\n", to->name,
                tensor_describe(t, other));
    return t && copy_tensor(t, to);
}

/* Lines for the file's tensors that the network does not have. */
static void list_unused(const struct listing *to, const struct tensors *from,
                        FILE *out)
{
    char other[128];

    for (size_t i = 0; i < from->count; i++) {
        const struct tensor *t = &from->list[i];
        size_t j = 0;

        if (!strncmp(t->name, "train.", 6) || !strncmp(t->name, "data.", 5))
            continue;
        while (j < to->count && strcmp(t->name, to->list[j].name)) j++;
        if (j == to->count)
            fprintf(out, "not used    %s: file %s\n", t->name,
                    tensor_describe(t, other));
    }
}

bool checkpoint_load_partly(struct checkpoint *state,
                            const struct tensors *from, const char *path,
                            FILE *out, struct failure *failure)
{
    struct listing to;
    size_t loaded = 0;
    bool ok = open_list(state, &to, failure);

    for (size_t i = 0; ok && i < to.count; i++)
        loaded += load_one(&to.list[i], from, out);
    if (ok) {
        list_unused(&to, from, out);
        transpose_dense(state, &to);
        fprintf(out, "%zu of %zu tensors loaded from %s\n", loaded, to.count,
                path);
        ok = loaded || fail(failure, "%s: no tensor fits this network", path);
    }
    free(to.transposed);
    return ok;
}

/* --- description --------------------------------------------------------- */

/* A class name from a string, or from an array of its bytes; see
 * checkpoint_write().  @return NULL if it is neither; owned by the caller */
static char *read_name(const json_t *from)
{
    const char *string = json_string_value(from);
    const size_t length = json_array_size(from);
    char *name = string ? strdup(string) : NULL;

    if (string || !length)
        return name;
    name = malloc(length + 1);
    for (size_t i = 0; name && i <= length; i++) {
        const json_int_t byte = json_integer_value(json_array_get(from, i));

        name[i] = (char)byte; /* the last one is no integer: 0 */
        if (i < length && (byte < 1 || byte > 255)) {
            free(name);
            return NULL;
        }
    }
    return name;
}

/* The class names from a JSON array. */
static bool read_names(const char *text, const char *path, struct dataset *to,
                       struct failure *failure)
{
    json_t *list = text ? json_loads(text, 0, NULL) : NULL;
    char *names[DATASET_MAX_CLASSES] = {NULL};
    bool ok = !text || (int)json_array_size(list) == to->classes;

    for (int i = 0; ok && text && i < to->classes; i++) {
        names[i] = read_name(json_array_get(list, (size_t)i));
        ok = names[i] != NULL;
    }
    if (!ok)
        fail(failure, "%s: its class names do not fit %d classes", path,
             to->classes);
    else if (text && !dataset_set_names(to, (const char *const *)names))
        ok = fail(failure, "no memory");
    for (int i = 0; i < to->classes; i++) free(names[i]);
    json_decref(list);
    return ok;
}

bool checkpoint_describe(const struct tensors *from, const char *path,
                         struct checkpoint_about *about,
                         struct failure *failure)
{
    const char *shape = tensors_metadata(from, "shape");
    const char *images = tensors_metadata(from, "images");
    struct dataset *to = &about->trained;

    *about = (struct checkpoint_about){
        .network = tensors_metadata(from, "network")};
    if (!shape || !images || !about->network)
        return fail(failure, "%s: was not written by this train; --weights "
                    "reads its weights", path);
    if (!from->checked)
        return fail(failure, "%s: has no checksum", path);
    if (sscanf(shape, "%d %d %d %d", &to->channels, &to->height, &to->width,
               &to->classes) != 4
        || to->channels < 1 || to->channels > 4 || to->height < 1
        || to->height > DATASET_MAX_SIDE || to->width < 1
        || to->width > DATASET_MAX_SIDE || to->classes < 2
        || to->classes > DATASET_MAX_CLASSES)
        return fail(failure, "%s: its images' shape is \"%.40s\"", path, shape);
    about->images = strtoull(images, NULL, 10);
    return read_names(tensors_metadata(from, "classes"), path, to, failure);
}

bool checkpoint_matches_network(const struct network *net,
                                const struct checkpoint_about *about,
                                const char *path, struct failure *failure)
{
    static struct network own;

    return network_parse(about->network, path, net->in, net->classes, &own,
                         failure)
           && (network_hash(&own) == network_hash(net)
               || fail(failure, "%s: was trained with another %s.net than the "
                       "current one; without --net it goes on with its own",
                       path, net->name));
}

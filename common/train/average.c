/* SPDX-License-Identifier: MIT */
/* See host_commands.h: train average. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "common/net/step.h"
#include "host_commands.h"
#include "run_folder.h"

/* The sum so far, and what the first file says. */
struct average {
    struct network net;
    struct train_options options;
    struct checkpoint_about about;
    char *text;            /* of the network; owned */
    const char *first;     /* path of the first file */
    struct checkpoint *sum;
};

/* The first file decides about network, options and normalization. */
static bool begin(struct average *average, const struct tensors *file,
                  const char *path, struct failure *failure)
{
    const struct dataset *trained = &average->about.trained;

    train_options_default(&average->options);
    if (!checkpoint_describe(file, path, &average->about, failure)
        || !train_options_from_metadata(&average->options, file, path, failure))
        return false;
    average->text = strdup(average->about.network);
    average->about.network = average->text;
    if (!average->text)
        return fail(failure, "no memory");
    if (!network_parse(average->text, average->options.net,
                       (struct image_shape){trained->channels, trained->height,
                                            trained->width},
                       trained->classes, &average->net, failure))
        return false;
    average->sum = checkpoint_allocate(&average->net);
    return average->sum || fail(failure, "no memory");
}

/* Equal shapes are not enough: with other layers between them, or classes in
 * another order, the same weights mean something else. */
static bool check_same(struct average *average, const struct tensors *file,
                       const char *path, struct failure *failure)
{
    const struct network *net = &average->net;
    struct network *other = calloc(1, sizeof *other);
    struct checkpoint_about about = {0};
    struct failure why = {""};
    bool ok = other || fail(failure, "no memory");

    ok = ok && checkpoint_describe(file, path, &about, failure)
         && (dataset_fits(&average->about.trained, &about.trained, "other",
                          &why)
             || fail(failure, "%s and %s: %s", average->first, path, why.text))
         && network_parse(about.network, path, net->in, net->classes, other,
                          failure);
    /* Runs of one network may differ in their augmentation. */
    if (ok) {
        other->training = net->training;
        ok = network_hash(other) == network_hash(net)
             || fail(failure, "%s: its network is not that of %s", path,
                     average->first);
    }
    dataset_free(&about.trained);
    free(other);
    return ok;
}

/* sum += share * other, element by element. */
static void add_floats(float *sum, const float *other, size_t count,
                       float share)
{
    for (size_t i = 0; i < count; i++) sum[i] += share * other[i];
}

/* Add a file's parameters and running statistics. */
static bool add_file(struct average *average, const char *path, float share,
                     struct failure *failure)
{
    struct checkpoint *sum, *state = NULL;
    struct tensors file;
    bool ok = safetensors_read(path, &file, failure);

    ok = ok && (average->sum ? check_same(average, &file, path, failure)
                             : begin(average, &file, path, failure))
         && ((state = checkpoint_allocate(&average->net))
             || fail(failure, "no memory"))
         && checkpoint_load(state, &file, CHECKPOINT_MODEL, path, failure);
    sum = average->sum;
    if (ok) {
        add_floats(sum->parameters, state->parameters, average->net.parameters,
                   share);
        add_floats(sum->running, state->running,
                   step_running_stats_count(&average->net), share);
        add_floats(sum->mean, state->mean, 4, share);
        add_floats(sum->std, state->std, 4, share);
    }
    checkpoint_free(state);
    tensors_free(&file);
    return ok;
}

bool average_models(const struct train_options *options,
                    struct failure *failure)
{
    struct average *average = calloc(1, sizeof *average);
    const int models = options->file_count - 1;
    const char *to = options->files[0];
    bool ok = average || fail(failure, "no memory");

    ok = ok && new_file_check(options, to, failure);
    if (ok)
        average->first = options->files[1];
    for (int i = 1; ok && i <= models; i++)
        ok = add_file(average, options->files[i], 1 / (float)models, failure);
    ok = ok && checkpoint_write(average->sum, to, &average->options,
                                &average->about, failure);
    if (average) {
        checkpoint_free(average->sum);
        dataset_free(&average->about.trained);
        free(average->text);
    }
    free(average);
    return ok;
}

/* SPDX-License-Identifier: MIT */
/* See model.h. */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/data/loader.h"

enum { MODEL_BATCH = 64 /* images at once */ };

/* Read everything but the device's part. */
static bool read_file_of(struct model *model, const struct tensors *from,
                         const char *path, struct failure *failure)
{
    const struct dataset *trained = &model->about.trained;
    struct image_shape in;
    char net_path[4096];

    if (!checkpoint_describe(from, path, &model->about, failure)
        || !train_options_from_metadata(&model->options, from, path, failure))
        return false;
    in = (struct image_shape){trained->channels, trained->height,
                              trained->width};
    train_net_path(&model->options, path, net_path);
    return network_parse(model->about.network, net_path, in, trained->classes,
                         &model->net, failure)
           && trainer_supports(&model->net, model->options.kernels, failure)
           && ((model->state = checkpoint_allocate(&model->net))
               || fail(failure, "no memory for the network"))
           && checkpoint_load(model->state, from, CHECKPOINT_MODEL, path,
                              failure);
}

bool model_read(struct model *model, const char *path,
                const struct train_options *options, struct failure *failure)
{
    struct tensors from;
    bool ok;

    *model = (struct model){.options = *options};
    if (!safetensors_read(path, &from, failure))
        return false;
    ok = read_file_of(model, &from, path, failure);
    tensors_free(&from);
    model->about.network = NULL;
    return ok;
}

bool model_start(struct model *model, struct failure *failure)
{
    return trainer_open(&model->trainer, model->state, MODEL_BATCH, 0, false,
                        failure);
}

bool model_open(struct model *model, const char *path,
                const struct train_options *options, struct failure *failure)
{
    return model_read(model, path, options, failure)
           && model_start(model, failure);
}

void model_close(struct model *model)
{
    if (model->trainer.memory)
        trainer_close(&model->trainer);
    checkpoint_free(model->state);
    dataset_free(&model->about.trained);
}

/* In place; subtracting the maximum avoids overflow. */
static void softmax(float *row, int classes)
{
    double top = -INFINITY, sum = 0;

    for (int i = 0; i < classes; i++) top = fmax(top, (double)row[i]);
    for (int i = 0; i < classes; i++) sum += exp((double)row[i] - top);
    for (int i = 0; i < classes; i++)
        row[i] = (float)(exp((double)row[i] - top) / sum);
}

static bool predict_batches(struct model *model, struct loader *loader,
                            float *to, struct failure *failure)
{
    const int classes = model->net.classes;
    const struct batch *batch;

    do {
        batch = loader_next(loader);
        if (!trainer_evaluate(&model->trainer,
                              &(struct images){batch->images, batch->labels,
                                               (int)batch->count},
                              NULL, failure)
            || !trainer_read_outputs(&model->trainer, (int)batch->count, to,
                                     failure))
            return false;
        for (size_t i = 0; i < batch->count; i++, to += classes)
            softmax(to, classes);
    } while (!batch->last);
    return true;
}

bool model_probabilities(struct model *model, const struct dataset *set,
                         float *to, struct failure *failure)
{
    struct loader_options how = {
        .batch = MODEL_BATCH, .keep_last = true, .prefetch = 2};
    struct loader *loader;
    bool ok;

    memcpy(how.augment.mean, model->state->mean, sizeof how.augment.mean);
    memcpy(how.augment.std, model->state->std, sizeof how.augment.std);
    loader = loader_open(set, &how, 0, 0, failure);
    ok = loader && predict_batches(model, loader, to, failure);
    loader_close(loader);
    return ok;
}

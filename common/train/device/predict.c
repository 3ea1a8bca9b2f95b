/* SPDX-License-Identifier: MIT */
/* train predict: classify an image. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/data/picture.h"
#include "session.h"

enum { TOP_CLASSES = 3 };

/* The image resampled to the network's input and normalized. */
static float *preprocess(const struct image *image,
                         const struct checkpoint *state)
{
    const struct image_shape *to = &state->net->in;
    const size_t plane = (size_t)to->height * (size_t)to->width;
    unsigned char *bytes = malloc(shape_elements(to));
    float *pixels = malloc(shape_elements(to) * sizeof *pixels);

    if (bytes && pixels
        && picture_planes(image, to->channels, to->height, to->width, bytes))
        for (size_t i = 0; i < shape_elements(to); i++)
            pixels[i] = ((float)bytes[i] / 255 - state->mean[i / plane])
                        / state->std[i / plane];
    free(bytes);
    return pixels;
}

/* Print a class name from the metadata, and its probability. */
static void print_class(const struct tensors *from, int label,
                        double probability)
{
    const char *names = tensors_metadata(from, "names");

    for (int i = 0; names && i < label; i++)
        names = strchr(names, '|') ? strchr(names, '|') + 1 : NULL;
    if (names && strchr(names, '|'))
        printf("%5.1f %%  %.*s\n", 100 * probability, (int)strcspn(names, "|"),
               names);
    else
        printf("%5.1f %%  class %d\n", 100 * probability, label);
}

static void print_top_classes(float *outputs, int classes,
                              const struct tensors *from)
{
    double sum = 0, top = -INFINITY;

    /* Softmax; subtracting the maximum avoids overflow. */
    for (int i = 0; i < classes; i++) top = fmax(top, (double)outputs[i]);
    for (int i = 0; i < classes; i++) sum += exp((double)outputs[i] - top);
    for (int shown = 0; shown < TOP_CLASSES && shown < classes; shown++) {
        int best = 0;

        for (int i = 1; i < classes; i++)
            if (outputs[i] > outputs[best]) best = i;
        print_class(from, best, exp((double)outputs[best] - top) / sum);
        outputs[best] = -INFINITY;
    }
}

static bool classify(struct checkpoint *state, const struct image *image,
                     const struct tensors *from, struct failure *failure)
{
    const unsigned char label = 0; /* unused: only outputs are read */
    struct trainer trainer = {0};
    float *pixels = preprocess(image, state), outputs[DATASET_MAX_CLASSES];
    bool ok = pixels && trainer_open(&trainer, state, 1, 0, false, failure)
              && trainer_evaluate(&trainer,
                                  &(struct images){pixels, &label, 1}, NULL,
                                  failure)
              && trainer_read_outputs(&trainer, outputs, failure);

    if (ok)
        print_top_classes(outputs, state->net->classes, from);
    trainer_close(&trainer);
    free(pixels);
    return ok;
}

bool predict(const struct train_options *options, struct failure *failure)
{
    struct train_options own = *options;
    const char *root = getenv("WARPBOOK_HOME");
    struct tensors from;
    struct image_shape shape;
    struct image image = {0};
    struct network net;
    struct checkpoint *state = NULL;
    char path[4096];
    int classes;
    bool ok;

    if (!safetensors_read(options->model, &from, failure))
        return false;
    ok = train_options_from_metadata(&own, &from, options->model, failure)
         && (checkpoint_shape(&from, &shape, &classes)
             || fail(failure, "%s: was not written by train",
                     options->model));
    train_net_path(&own, root ? root : ".", path);
    ok = ok && network_read(path, shape, classes, &net, failure)
         && (state = checkpoint_allocate(&net))
         && checkpoint_load(state, &from, true, options->model, failure)
         && picture_read(options->image, &image, failure)
         && classify(state, &image, &from, failure);
    image_free(&image);
    checkpoint_free(state);
    tensors_free(&from);
    return ok;
}

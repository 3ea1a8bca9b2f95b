/* SPDX-License-Identifier: MIT */
/* train predict: what is on a picture? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/image.h"
#include "session.h"

enum { SHOWN = 3 };

/* The mean of the pixels that fall on one of the network's. */
static float pixel(const struct image *image, const struct image_shape *to,
                   int channel, int y, int x)
{
    /* From whole pixels to whole pixels, at least one: smaller pictures are
     * enlarged by repeating, larger ones averaged. */
    const int top = y * image->height / to->height;
    const int left = x * image->width / to->width;
    const int below = (y + 1) * image->height / to->height;
    const int right = (x + 1) * image->width / to->width;
    const int shown = image->channels > 2 ? 3 : 1; /* not an alpha */
    double sum = 0;
    int count = 0;

    for (int i = top; i < below || i == top; i++)
        for (int j = left; j < right || j == left; j++)
            for (int c = 0; c < shown; c++) {
                if (to->channels == 3 && shown == 3 && c != channel)
                    continue;
                sum += image->data[(i * image->width + j) * image->channels
                                   + c];
                count++;
            }
    return (float)(sum / count / 255);
}

/* The picture as the network wants it. */
static float *pixels_of(const struct image *image,
                        const struct checkpoint *state)
{
    const struct image_shape *to = &state->net->in;
    float *pixels = malloc(layer_elements(to) * sizeof *pixels), *at = pixels;

    for (int c = 0; pixels && c < to->channels; c++)
        for (int y = 0; y < to->height; y++)
            for (int x = 0; x < to->width; x++)
                *at++ = (pixel(image, to, c, y, x) - state->mean[c])
                        / state->scale[c];
    return pixels;
}

/* The name of a class among those of the notes. */
static void print_class(const struct tensors *from, int label, double share)
{
    const char *names = tensors_note(from, "names");

    for (int i = 0; names && i < label; i++)
        names = strchr(names, '|') ? strchr(names, '|') + 1 : NULL;
    if (names && strchr(names, '|'))
        printf("%5.1f %%  %.*s\n", 100 * share, (int)strcspn(names, "|"),
               names);
    else
        printf("%5.1f %%  class %d\n", 100 * share, label);
}

static void print_best(float *outputs, int classes,
                       const struct tensors *from)
{
    double sum = 0, top = -INFINITY;

    /* Softmax; the largest is taken off so that no exponential overflows. */
    for (int i = 0; i < classes; i++) top = fmax(top, (double)outputs[i]);
    for (int i = 0; i < classes; i++) sum += exp((double)outputs[i] - top);
    for (int shown = 0; shown < SHOWN && shown < classes; shown++) {
        int best = 0;

        for (int i = 1; i < classes; i++)
            if (outputs[i] > outputs[best]) best = i;
        print_class(from, best, exp((double)outputs[best] - top) / sum);
        outputs[best] = -INFINITY;
    }
}

static bool look(struct checkpoint *state, const struct image *image,
                 const struct tensors *from, struct failure *failure)
{
    const unsigned char label = 0; /* of no meaning: only outputs are read */
    struct machine machine = {0};
    float *pixels = pixels_of(image, state), outputs[DATASET_CLASSES];
    bool ok = pixels && machine_open(&machine, state, 1, 0, false, failure)
              && machine_evaluate(&machine,
                                  &(struct images){pixels, &label, 1}, NULL,
                                  failure)
              && machine_outputs(&machine, outputs, failure);

    if (ok)
        print_best(outputs, state->net->classes, from);
    machine_close(&machine);
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
    ok = train_options_renew(&own, &from, options->model, failure)
         && (checkpoint_shape(&from, &shape, &classes)
             || fail(failure, "%s: was not written by train",
                     options->model));
    train_net_path(&own, root ? root : ".", path);
    ok = ok && network_read(path, shape, classes, &net, failure)
         && (state = checkpoint_make(&net))
         && checkpoint_take(state, &from, true, options->model, failure)
         && image_read(options->image, &image, failure)
         && look(state, &image, &from, failure);
    image_free(&image);
    checkpoint_free(state);
    tensors_free(&from);
    return ok;
}

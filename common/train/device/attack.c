/* SPDX-License-Identifier: MIT */
/* train attack: the fast gradient sign method (Goodfellow, Shlens and Szegedy,
 * "Explaining and harnessing adversarial examples", 2015).  Each pixel moves by
 * epsilon in the direction that increases the loss; how many images are still
 * classified right?
 *
 * The kernels compute no gradient with respect to the images; that of the
 * output of a first layer which copies them is the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/contact_sheet.h"
#include "common/base/image.h"
#include "common/data/loader.h"
#include "attack_network.h"

enum { BATCH = 64, SHOWN = 8, EPSILONS = 6 };
static const double epsilons[EPSILONS] = {0, 0.01, 0.02, 0.05, 0.1, 0.2};
static const double shown_epsilon = 0.1;

/* The attacked network and the results. */
struct attack {
    struct model model;
    struct dataset set;
    size_t right[EPSILONS];
    float *images, *gradient;   /* of one batch */
    struct image tiles[3 * SHOWN]; /* originals, changes, changed images */
};

/* Pixels from 0 to 1. */
static float pixel_of(const struct attack *a, size_t i, float value)
{
    const struct checkpoint *state = a->model.state;
    const struct image_shape *in = &a->model.net.in;
    const size_t c = i / (size_t)(in->height * in->width)
                     % (size_t)in->channels;

    return value * state->std[c] + state->mean[c];
}

static float value_of(const struct attack *a, size_t i, float pixel)
{
    const struct checkpoint *state = a->model.state;
    const struct image_shape *in = &a->model.net.in;
    const size_t c = i / (size_t)(in->height * in->width)
                     % (size_t)in->channels;

    return (pixel - state->mean[c]) / state->std[c];
}

/* The image that is moved by epsilon; pixels stay from 0 to 1. */
static float moved(const struct attack *a, size_t i, float value,
                   double epsilon)
{
    const double sign = (a->gradient[i] > 0) - (a->gradient[i] < 0);
    const double pixel = (double)pixel_of(a, i, value) + epsilon * sign;

    return (float)fmin(fmax(pixel, 0), 1);
}

/* Images in the picture, which has full rows. */
static int shown_of(const struct attack *a)
{
    return a->set.count < SHOWN ? (int)a->set.count : SHOWN;
}

/* Keep the first images for the picture. */
static bool keep_tiles(struct attack *a, const struct batch *batch,
                       struct failure *failure)
{
    const struct image_shape *in = &a->model.net.in;
    const size_t pixels = shape_elements(in);
    const size_t plane = (size_t)(in->height * in->width);
    const int channels = in->channels == 3 ? 3 : 1;

    for (int n = 0; n < shown_of(a); n++)
        for (int row = 0; row < 3; row++) {
            struct image *tile = &a->tiles[row * shown_of(a) + n];

            if (!image_make(tile, in->width, in->height, channels, failure))
                return false;
            for (size_t k = 0; k < plane * (size_t)channels; k++) {
                const size_t i = (size_t)n * pixels
                                 + k % (size_t)channels * plane
                                 + k / (size_t)channels;
                const float old = pixel_of(a, i, batch->images[i]);
                const float new = moved(a, i, batch->images[i], shown_epsilon);

                tile->data[k] = (unsigned char)(
                    255 * (row == 0   ? old
                           : row == 1 ? 0.5f + (new - old) / 2
                                      : new) + 0.5f);
            }
        }
    return true;
}

/* Count the images that are classified right at each epsilon. */
static bool attack_batch(struct attack *a, const struct batch *batch,
                         struct failure *failure)
{
    struct trainer *trainer = &a->model.trainer;
    const size_t all = batch->count * shape_elements(&a->model.net.in);
    unsigned char predicted[BATCH];
    const struct images images = {batch->images, batch->labels,
                                  (int)batch->count};

    /* A step at learning rate 0 changes no parameter. */
    if (!trainer_step(trainer, &images, 0, failure)
        || !trainer_read_gradient(trainer, 0, (int)batch->count, a->gradient,
                                  failure))
        return false;
    for (int e = 0; e < EPSILONS; e++) {
        for (size_t i = 0; i < all; i++)
            a->images[i] = epsilons[e] > 0
                               ? value_of(a, i, moved(a, i, batch->images[i],
                                                      epsilons[e]))
                               : batch->images[i];
        if (!trainer_evaluate(trainer,
                              &(struct images){a->images, batch->labels,
                                               (int)batch->count},
                              predicted, failure))
            return false;
        for (size_t n = 0; n < batch->count; n++)
            a->right[e] += predicted[n] == batch->labels[n];
    }
    return batch->number > 0 || keep_tiles(a, batch, failure);
}

static bool attack_all(struct attack *a, struct failure *failure)
{
    struct loader_options how = {
        .batch = BATCH, .keep_last = true, .prefetch = 2};
    const size_t pixels = BATCH * shape_elements(&a->model.net.in);
    const struct batch *batch;
    struct loader *loader;
    bool ok;

    memcpy(how.augment.mean, a->model.state->mean, sizeof how.augment.mean);
    memcpy(how.augment.std, a->model.state->std, sizeof how.augment.std);
    a->images = malloc(pixels * sizeof(float));
    a->gradient = malloc(pixels * sizeof(float));
    if (!a->images || !a->gradient)
        return fail(failure, "no memory");
    loader = loader_open(&a->set, &how, 0, 0, failure);
    ok = loader != NULL;
    do {
        batch = ok ? loader_next(loader) : NULL;
        ok = ok && attack_batch(a, batch, failure);
    } while (ok && !batch->last);
    loader_close(loader);
    return ok;
}

static bool write_results(struct attack *a, const char *path,
                          struct failure *failure)
{
    const int shown = shown_of(a);
    const struct sheet_layout layout = {shown, 4, 3, 255};
    struct image sheet;
    bool ok;

    printf("epsilon  accuracy of %zu images\n", a->set.count);
    for (int e = 0; e < EPSILONS; e++)
        printf("%7g  %6.2f %%\n", epsilons[e],
               100 * (double)a->right[e] / (double)a->set.count);
    ok = sheet_make(a->tiles, 3 * shown, &layout, &sheet, failure);
    if (ok) {
        ok = image_write(path, &sheet, failure);
        image_free(&sheet);
    }
    if (ok)
        printf("images, changes and changed images at epsilon %g: %s\n",
               shown_epsilon, path);
    return ok;
}

bool attack(const struct train_options *options, struct failure *failure)
{
    struct attack *a = calloc(1, sizeof *a);
    struct dataset_source source;
    bool ok = a || fail(failure, "no memory");

    ok = ok && model_read(&a->model, options->files[0], options, failure)
         && attack_network_make(&a->model, failure)
         && model_start(&a->model, failure);
    if (ok) {
        source = train_data_source(&a->model.options);
        ok = dataset_read_test(&source, &a->model.about.trained, &a->set,
                               failure)
             && (a->set.count || fail(failure, "there is no test set"))
             && attack_all(a, failure)
             && write_results(a, options->files[1], failure);
    }
    for (int i = 0; a && i < 3 * SHOWN; i++) image_free(&a->tiles[i]);
    if (a) {
        dataset_free(&a->set);
        free(a->images);
        free(a->gradient);
        model_close(&a->model);
    }
    free(a);
    return ok;
}

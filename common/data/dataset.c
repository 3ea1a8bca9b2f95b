/* SPDX-License-Identifier: MIT */
/** @file
 *  See dataset.h. */
#include "dataset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fashion.h"
#include "picture.h"
#include "random_bits.h"
#include "readers.h"

static const struct known_set {
    const char *name;
    dataset_reader *read;
    bool needs_folder;
    const char *train[2]; /* files or folders of the training split */
    const char *test[3];  /* of the test split */
} known_sets[] = {
    {"fashion-mnist", read_fashion, false,
     {"train-images-idx3-ubyte", "train-images.idx3-ubyte"},
     {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte",
      "t10k-images.idx3-ubyte"}},
    {"mnist", read_mnist, true,
     {"train-images-idx3-ubyte", "train-images.idx3-ubyte"},
     {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte",
      "t10k-images.idx3-ubyte"}},
    {"cifar-10", read_cifar10, true, {"data_batch_1.bin"}, {"test_batch.bin"}},
    {"cifar-100", read_cifar100, true, {"train.bin"}, {"test.bin"}},
    {"pictures", read_pictures, true, {"train"}, {"test"}},
    {"png", read_pictures, true, {"train"}, {"test"}},
    {"npy", read_npy_folder, true, {"train_images.npy"},
     {"test_images.npy", "test_labels.npy"}},
    {"lookalike", read_lookalike, false, {NULL}, {NULL}},
    {"lookalike-cifar", read_lookalike_cifar, false, {NULL}, {NULL}},
};
enum { KNOWN_SET_COUNT = sizeof known_sets / sizeof *known_sets };

/* The message lists the known names. */
static bool fail_unknown(const char *name, struct failure *failure)
{
    char names[256] = "";

    for (int i = 0; i < KNOWN_SET_COUNT; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                 known_sets[i].name);
    }
    return fail(failure, "%s: no such data set; there are: %s", name, names);
}

/* By name, NULL if unknown. */
static const struct known_set *find_set(const char *name)
{
    for (int i = 0; i < KNOWN_SET_COUNT; i++)
        if (strcmp(name, known_sets[i].name) == 0) return &known_sets[i];
    return NULL;
}

/* Resample all images to the size that the source asks for. */
static bool resize(const struct dataset_source *source, struct dataset *set,
                   struct failure *failure)
{
    struct dataset to = {.channels = set->channels, .height = source->height,
                         .width = source->width};
    const size_t from_plane = (size_t)set->height * (size_t)set->width;
    const size_t to_plane = (size_t)to.height * (size_t)to.width;

    if (!source->height
        || (set->height == to.height && set->width == to.width))
        return true;
    if (!dataset_allocate(&to, set->count, source->name, failure)) {
        dataset_free(&to);
        return false;
    }
    for (size_t i = 0; i < set->count * (size_t)set->channels; i++)
        plane_resample(&(struct plane){set->pixels + i * from_plane,
                                       set->height, set->width, 1},
                       to.height, to.width, to.pixels + i * to_plane);
    free(set->pixels);
    free(to.labels);
    set->pixels = to.pixels;
    set->height = to.height;
    set->width = to.width;
    return true;
}

/* @param known  the set of the source's name, NULL: unknown */
static bool check_source(const struct dataset_source *source,
                         const struct known_set *known,
                         struct failure *failure)
{
    if (!known) return fail_unknown(source->name, failure);
    return !known->needs_folder || source->folder
           || fail(failure, "%s: needs the folder of its files: --folder DIR",
                   source->name);
}

bool dataset_read(const struct dataset_source *source, enum dataset_part part,
                  struct dataset *set, struct failure *failure)
{
    const struct known_set *known = find_set(source->name);

    memset(set, 0, sizeof *set);
    if (!check_source(source, known, failure)) return false;
    if (known->read(source, part, set, failure)
        && resize(source, set, failure))
        return true;
    dataset_free(set);
    return false;
}

/* Does one of `count` files or folders of the source exist? */
static bool has_any(const struct dataset_source *source,
                    const char *const *names, size_t count)
{
    const char *folder = source->folder ? source->folder : fashion_folder();
    char path[READER_PATH_BYTES];

    for (size_t i = 0; i < count && names[i]; i++)
        if (reader_find_file(path, folder, names[i], NULL)
            && access(path, F_OK) == 0)
            return true;
    return false;
}

/* Sets that are generated always have a test split. */
static bool has_test(const struct dataset_source *source)
{
    const struct known_set *known = find_set(source->name);

    return known && (!known->test[0] || has_any(source, known->test, 3));
}

bool dataset_exists(const struct dataset_source *source,
                    struct failure *failure)
{
    const struct known_set *known = find_set(source->name);
    struct dataset set;

    if (!check_source(source, known, failure)) return false;
    if (!known->train[0] || has_any(source, known->train, 2)) return true;
    if (!dataset_read(source, DATASET_TRAIN, &set, failure))
        return false; /* which says what is missing */
    dataset_free(&set);
    return true;
}

bool dataset_read_test(const struct dataset_source *source,
                       const struct dataset *train, struct dataset *test,
                       struct failure *failure)
{
    struct dataset_source as_trained = *source;

    as_trained.is_color = train->channels == 3;
    memset(test, 0, sizeof *test);
    if (!has_test(source)) return true;
    if (!dataset_read(&as_trained, DATASET_TEST, test, failure)) return false;
    if (dataset_fits(train, test, "test", failure)) return true;
    dataset_free(test);
    return false;
}

size_t dataset_pixels(const struct dataset *set)
{
    return (size_t)set->channels * (size_t)set->height * (size_t)set->width;
}

bool dataset_allocate(struct dataset *set, size_t count, const char *path,
                      struct failure *failure)
{
    const int sizes[] = {set->channels, set->height, set->width};

    for (int i = 0; i < 3; i++)
        if (sizes[i] < 1 || sizes[i] > DATASET_MAX_SIDE)
            return fail(failure, "%s: images of %d x %d x %d", path,
                        set->channels, set->height, set->width);
    if (count == 0) return fail(failure, "%s: contains no image", path);
    set->count = count;
    set->pixels = count <= SIZE_MAX / dataset_pixels(set)
                      ? malloc(count * dataset_pixels(set)) : NULL;
    set->labels = calloc(count, 1);
    return (set->pixels && set->labels) ||
           fail(failure, "%s: no memory for %zu images", path, count);
}

/* Copy an image and its label to index `at`. */
static void copy_image(struct dataset *to, size_t at,
                       const struct dataset *from, size_t image)
{
    const size_t pixels = dataset_pixels(from);

    memmove(to->pixels + at * pixels, from->pixels + image * pixels, pixels);
    to->labels[at] = from->labels[image];
}

/* Mark the images of the held-out part: 1 for each of them, chosen at random.
 */
static unsigned char *choose_held_out(size_t count, size_t held_out_count,
                                      uint64_t seed)
{
    unsigned char *is_held_out = calloc(count ? count : 1, 1);
    size_t *order = malloc((count ? count : 1) * sizeof *order);

    if (is_held_out && order) {
        random_permutation(order, count, seed);
        for (size_t i = 0; i < held_out_count; i++)
            is_held_out[order[count - 1 - i]] = 1;
    } else {
        free(is_held_out);
        is_held_out = NULL;
    }
    free(order);
    return is_held_out;
}

/* Kept images move to the front of their own set, which is safe because none
 * moves back. */
static void partition_images(struct dataset *set,
                             const unsigned char *is_held_out,
                             struct dataset *held_out)
{
    size_t kept_count = 0, moved_count = 0;

    for (size_t i = 0; i < set->count; i++)
        if (is_held_out[i])
            copy_image(held_out, moved_count++, set, i);
        else
            copy_image(set, kept_count++, set, i);
    set->count = kept_count;
}

bool dataset_split(struct dataset *set, double fraction, uint64_t seed,
                   struct dataset *held_out, struct failure *failure)
{
    const size_t held_out_count = (size_t)lround((double)set->count * fraction);
    unsigned char *is_held_out;
    bool ok;

    *held_out = (struct dataset){
        .channels = set->channels, .height = set->height,
        .width = set->width, .classes = set->classes};
    if (!(fraction >= 0 && fraction <= 1))
        return fail(failure, "cannot hold out a fraction of %g", fraction);
    if (held_out_count == 0) return true;
    is_held_out = choose_held_out(set->count, held_out_count, seed);
    ok = is_held_out &&
         dataset_allocate(held_out, held_out_count, "the split", failure) &&
         (!set->names
          || dataset_set_names(held_out, (const char *const *)set->names));
    if (ok)
        partition_images(set, is_held_out, held_out);
    else
        dataset_free(held_out);
    free(is_held_out);
    return ok ||
           fail(failure, "the split: no memory for %zu images", held_out_count);
}

void dataset_truncate(struct dataset *set, size_t count)
{
    if (count < set->count) set->count = count;
}

void dataset_statistics(const struct dataset *set, float *mean, float *std)
{
    const size_t plane = (size_t)set->height * (size_t)set->width;

    for (int c = 0; c < set->channels; c++) {
        double sum = 0, sum_of_squares = 0;
        const double all = (double)(set->count * plane);

        for (size_t i = 0; i < set->count; i++) {
            const unsigned char *p =
                set->pixels + (i * (size_t)set->channels + (size_t)c) * plane;
            uint64_t s = 0, q = 0;

            for (size_t k = 0; k < plane; k++) {
                s += p[k];
                q += (uint64_t)p[k] * p[k];
            }
            sum += (double)s;
            sum_of_squares += (double)q;
        }
        const double m = all > 0 ? sum / all : 0;
        const double v = all > 0 ? sum_of_squares / all - m * m : 0;

        mean[c] = (float)(m / 255);
        std[c] = v > 0 ? (float)(sqrt(v) / 255) : 1;
    }
}

void dataset_free(struct dataset *set)
{
    for (int i = 0; set->names && i < set->classes; i++) free(set->names[i]);
    free(set->pixels);
    free(set->labels);
    free(set->names);
    memset(set, 0, sizeof *set);
}

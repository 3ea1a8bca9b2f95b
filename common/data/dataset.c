/* SPDX-License-Identifier: MIT */
/** @file
 *  See dataset.h. */
#include "dataset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_bits.h"
#include "readers.h"

enum { MAX_SIDE = 4096 };

static const struct known_set {
    const char *name;
    dataset_reader *read;
    bool needs_folder;
} known_sets[] = {
    {"fashion-mnist", read_fashion, false},
    {"cifar-10", read_cifar10, true},
    {"cifar-100", read_cifar100, true},
    {"png", read_png_folder, true},
    {"npy", read_npy_folder, true},
    {"lookalike", read_lookalike, false},
    {"lookalike-cifar", read_lookalike_cifar, false},
};
enum { KNOWN_SET_COUNT = sizeof known_sets / sizeof *known_sets };

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

bool dataset_read(const char *name, const char *folder,
                  enum dataset_part part, struct dataset *set,
                  struct failure *failure)
{
    memset(set, 0, sizeof *set);
    for (int i = 0; i < KNOWN_SET_COUNT; i++) {
        const struct known_set *known = &known_sets[i];

        if (strcmp(name, known->name) != 0) continue;
        if (known->needs_folder && !folder)
            return fail(failure, "%s: needs the folder of its files: "
                        "--folder DIR", name);
        if (known->read(folder, part, set, failure)) return true;
        dataset_free(set);
        return false;
    }
    return fail_unknown(name, failure);
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
        if (sizes[i] < 1 || sizes[i] > MAX_SIDE)
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

static bool copy_names(struct dataset *to, const struct dataset *from)
{
    const size_t bytes = (size_t)from->classes * sizeof *from->names;

    if (!from->names) return true;
    to->names = malloc(bytes);
    if (to->names) memcpy(to->names, from->names, bytes);
    return to->names != NULL;
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
         copy_names(held_out, set);
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

const char *dataset_class_name(const struct dataset *set, int label,
                               char text[DATASET_NAME_BYTES])
{
    if (set->names && label >= 0 && label < set->classes)
        return set->names[label];
    snprintf(text, DATASET_NAME_BYTES, "class %d", label);
    return text;
}

void dataset_free(struct dataset *set)
{
    free(set->pixels);
    free(set->labels);
    free(set->names);
    memset(set, 0, sizeof *set);
}

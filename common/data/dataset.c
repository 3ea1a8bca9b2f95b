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

enum { SIDE_MAX = 4096 };

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
enum { KNOWN_SETS = sizeof known_sets / sizeof *known_sets };

static bool fail_unknown(const char *name, struct failure *failure)
{
    char names[256] = "";

    for (int i = 0; i < KNOWN_SETS; i++) {
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
    for (int i = 0; i < KNOWN_SETS; i++) {
        const struct known_set *known = &known_sets[i];

        if (strcmp(name, known->name) != 0) continue;
        if (known->needs_folder && !folder)
            return fail(failure, "%s: say in which folder its files are: "
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

bool dataset_make(struct dataset *set, size_t count, const char *path,
                  struct failure *failure)
{
    const int sizes[] = {set->channels, set->height, set->width};

    for (int i = 0; i < 3; i++)
        if (sizes[i] < 1 || sizes[i] > SIDE_MAX)
            return fail(failure, "%s: images of %d x %d x %d", path,
                        set->channels, set->height, set->width);
    if (count == 0) return fail(failure, "%s: holds no image", path);
    set->count = count;
    set->pixels = count <= SIZE_MAX / dataset_pixels(set)
                      ? malloc(count * dataset_pixels(set)) : NULL;
    set->labels = calloc(count, 1);
    return (set->pixels && set->labels) ||
           fail(failure, "%s: no memory for %zu images", path, count);
}

/* Copy images from place to place, and their labels. */
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

/* The images that `rest` gets, as marks. */
static unsigned char *choose(size_t count, size_t chosen, uint64_t seed)
{
    unsigned char *marks = calloc(count ? count : 1, 1);
    size_t *order = malloc((count ? count : 1) * sizeof *order);

    if (marks && order) {
        random_order(order, count, seed);
        for (size_t i = 0; i < chosen; i++) marks[order[count - 1 - i]] = 1;
    } else {
        free(marks);
        marks = NULL;
    }
    free(order);
    return marks;
}

static void part_images(struct dataset *set, const unsigned char *marks,
                        struct dataset *rest)
{
    size_t kept = 0, taken = 0;

    for (size_t i = 0; i < set->count; i++)
        if (marks[i])
            copy_image(rest, taken++, set, i);
        else
            copy_image(set, kept++, set, i);
    set->count = kept;
}

bool dataset_split(struct dataset *set, double share, uint64_t seed,
                   struct dataset *rest, struct failure *failure)
{
    const size_t chosen = (size_t)lround((double)set->count * share);
    unsigned char *marks;
    bool ok;

    *rest = (struct dataset){.channels = set->channels, .height = set->height,
                             .width = set->width, .classes = set->classes};
    if (!(share >= 0 && share <= 1))
        return fail(failure, "a share of %g images", share);
    if (chosen == 0) return true;
    marks = choose(set->count, chosen, seed);
    ok = marks && dataset_make(rest, chosen, "the split", failure) &&
         copy_names(rest, set);
    if (ok)
        part_images(set, marks, rest);
    else
        dataset_free(rest);
    free(marks);
    return ok || fail(failure, "the split: no memory for %zu images", chosen);
}

void dataset_keep(struct dataset *set, size_t count)
{
    if (count < set->count) set->count = count;
}

void dataset_statistics(const struct dataset *set, float *mean, float *scale)
{
    const size_t plane = (size_t)set->height * (size_t)set->width;

    for (int c = 0; c < set->channels; c++) {
        double sum = 0, squares = 0;
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
            squares += (double)q;
        }
        const double m = all > 0 ? sum / all : 0;
        const double v = all > 0 ? squares / all - m * m : 0;

        mean[c] = (float)(m / 255);
        scale[c] = v > 0 ? (float)(sqrt(v) / 255) : 1;
    }
}

const char *dataset_class(const struct dataset *set, int label,
                          char text[DATASET_NAME])
{
    if (set->names && label >= 0 && label < set->classes)
        return set->names[label];
    snprintf(text, DATASET_NAME, "class %d", label);
    return text;
}

void dataset_free(struct dataset *set)
{
    free(set->pixels);
    free(set->labels);
    free(set->names);
    memset(set, 0, sizeof *set);
}

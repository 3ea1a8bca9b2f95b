/* SPDX-License-Identifier: MIT */
/** @file
 *  See dataset.h: names of classes, and the comparison of two data sets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset.h"

const char *dataset_class_name(const struct dataset *set, int label,
                               char text[DATASET_NUMBER_BYTES])
{
    if (set->names && label >= 0 && label < set->classes)
        return set->names[label];
    snprintf(text, DATASET_NUMBER_BYTES, "class %d", label);
    return text;
}

bool dataset_set_names(struct dataset *set, const char *const *names)
{
    bool ok;

    set->names = calloc((size_t)set->classes + 1, sizeof *set->names);
    ok = set->names != NULL;
    for (int i = 0; ok && i < set->classes; i++)
        ok = (set->names[i] = strdup(names[i])) != NULL;
    for (int i = 0; !ok && set->names && i < set->classes; i++)
        free(set->names[i]);
    if (!ok) {
        free(set->names);
        set->names = NULL;
    }
    return ok;
}

/* The first name of `a` that is not in `b`; NULL if there is none. */
static const char *find_missing(const struct dataset *a,
                                const struct dataset *b)
{
    for (int i = 0; i < a->classes; i++) {
        int j = 0;

        while (j < b->classes && strcmp(a->names[i], b->names[j]) != 0) j++;
        if (j == b->classes) return a->names[i];
    }
    return NULL;
}

/* Labels are indices of the sorted names: if a class is missing on one side,
 * all labels after it mean other classes. */
static bool names_fit(const struct dataset *trained, const struct dataset *set,
                      const char *part, struct failure *failure)
{
    const char *missing = find_missing(trained, set);
    const char *extra = find_missing(set, trained);

    if (missing && extra)
        return fail(failure, "the %s data have a class \"%.100s\" where the "
                    "training data have \"%.100s\"", part, extra, missing);
    if (missing || extra)
        return fail(failure, "the %s data have %d classes, the training data "
                    "%d: \"%.100s\" is in the %s data only", part,
                    set->classes, trained->classes, missing ? missing : extra,
                    missing ? "training" : part);
    for (int i = 0; i < set->classes; i++)
        if (strcmp(set->names[i], trained->names[i]) != 0)
            return fail(failure, "class %d is \"%.100s\" in the %s data and "
                        "\"%.100s\" in the training data", i, set->names[i],
                        part, trained->names[i]);
    return true;
}

bool dataset_fits(const struct dataset *trained, struct dataset *set,
                  const char *part, struct failure *failure)
{
    if (set->channels != trained->channels)
        return fail(failure, "the %s images have %d channel%s, the training "
                    "images %d", part, set->channels,
                    set->channels == 1 ? "" : "s", trained->channels);
    if (set->height != trained->height || set->width != trained->width)
        return fail(failure, "the %s images are %d x %d, the training images "
                    "%d x %d; --resize makes them equal", part, set->width,
                    set->height, trained->width, trained->height);
    if (set->names && trained->names)
        return names_fit(trained, set, part, failure);
    if (set->classes > trained->classes)
        return fail(failure, "the %s labels are 0 to %d, the training labels "
                    "0 to %d", part, set->classes - 1, trained->classes - 1);
    if (!set->names) set->classes = trained->classes;
    return true;
}

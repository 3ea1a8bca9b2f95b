/* SPDX-License-Identifier: MIT */
/** @file
 *  A folder for each class, its images as PNG: PART/CLASS/NAME.png.  Classes
 *  and images come in the order of their names; alpha is left out, and gray
 *  becomes colour when the first image is coloured. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "readers.h"

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int is_png(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);

    return length > 4 && is_visible(entry) &&
           strcmp(entry->d_name + length - 4, ".png") == 0;
}

/** Names in a folder, sorted; each is freed by free_names(). */
struct names {
    struct dirent **entry;
    int count;
};

static bool list(const char *path, int (*filter)(const struct dirent *),
                 struct names *names, struct failure *failure)
{
    names->count = scandir(path, &names->entry, filter, alphasort);
    if (names->count > 0) return true;
    fail(failure, "%s: %s", path,
         names->count < 0 ? strerror(errno) : "nothing in it");
    if (names->count == 0) free(names->entry);
    names->count = 0;
    names->entry = NULL;
    return false;
}

static void free_names(struct names *names)
{
    for (int i = 0; i < names->count; i++) free(names->entry[i]);
    free(names->entry);
}

/* Put the channels apart; see the head of this file for what differs. */
static void take_pixels(const struct image *image, int channels,
                        unsigned char *to)
{
    const size_t plane = (size_t)image->width * (size_t)image->height;
    const size_t step = (size_t)image->channels;

    for (size_t c = 0; c < (size_t)channels; c++)
        for (size_t i = 0; i < plane; i++)
            to[c * plane + i] = image->data[i * step + (step < 3 ? 0 : c)];
}

/* Room for one image more, in steps that double. */
static bool grow(struct dataset *set, const char *path,
                 struct failure *failure)
{
    const size_t room = set->count ? 2 * set->count : 64;
    unsigned char *pixels, *labels;

    if (set->count & (set->count - 1) || (set->count && set->count < 64))
        return true;
    pixels = realloc(set->pixels, room * dataset_pixels(set));
    if (pixels) set->pixels = pixels;
    labels = realloc(set->labels, room);
    if (labels) set->labels = labels;
    return (pixels && labels) || fail(failure, "%s: no memory", path);
}

static bool add_image(const char *path, int label, struct dataset *set,
                      struct failure *failure)
{
    struct image image;
    bool ok = image_read(path, &image, failure);

    if (!ok) return false;
    if (set->count == 0) {
        set->channels = image.channels < 3 ? 1 : 3;
        set->height = image.height;
        set->width = image.width;
    }
    if (image.width != set->width || image.height != set->height)
        ok = fail(failure, "%s: is %d x %d, those before it %d x %d", path,
                  image.width, image.height, set->width, set->height);
    else if (image.channels >= 3 && set->channels == 1)
        ok = fail(failure, "%s: is coloured, those before it are gray", path);
    else if ((ok = grow(set, path, failure))) {
        take_pixels(&image, set->channels,
                    set->pixels + set->count * dataset_pixels(set));
        set->labels[set->count++] = (unsigned char)label;
    }
    image_free(&image);
    return ok;
}

static bool add_class(const char *folder, const char *name, int label,
                      struct dataset *set, struct failure *failure)
{
    char path[READER_PATH], file[READER_PATH];
    struct names names;
    bool ok = true;

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= READER_PATH)
        return fail(failure, "%s: the name is too long", folder);
    if (!list(path, is_png, &names, failure)) return false;
    for (int i = 0; i < names.count && ok; i++) {
        if (snprintf(file, sizeof file, "%s/%s", path,
                     names.entry[i]->d_name) >= READER_PATH)
            ok = fail(failure, "%s: the name is too long", path);
        else
            ok = add_image(file, label, set, failure);
    }
    snprintf(set->names[label], DATASET_NAME, "%.*s", DATASET_NAME - 1, name);
    free_names(&names);
    return ok;
}

bool read_png_folder(const char *folder, enum dataset_part part,
                     struct dataset *set, struct failure *failure)
{
    char path[READER_PATH];
    struct names classes;
    bool ok = true;

    if (snprintf(path, sizeof path, "%s/%s", folder,
                 part == DATASET_TRAIN ? "train" : "test") >= READER_PATH)
        return fail(failure, "%s: the name is too long", folder);
    if (!list(path, is_visible, &classes, failure)) return false;
    if (classes.count > DATASET_CLASSES)
        ok = fail(failure, "%s: %d classes, %d at most", path, classes.count,
                  DATASET_CLASSES);
    set->classes = classes.count;
    set->names = calloc((size_t)classes.count, sizeof *set->names);
    for (int i = 0; i < classes.count && ok && set->names; i++)
        ok = add_class(path, classes.entry[i]->d_name, i, set, failure);
    if (!set->names) ok = fail(failure, "%s: no memory", path);
    free_names(&classes);
    return ok;
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  A folder for each class with its images as PNG: PART/CLASS/NAME.png.
 *  Classes and images are sorted by name.  Alpha is dropped.  Gray images are
 *  converted to color when the first image is in color. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/image.h"
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

/** Sorted entries of a folder; freed by free_names(). */
struct names {
    struct dirent **entry;
    int count;
};

static bool list_entries(const char *path, int (*filter)(const struct dirent *),
                         struct names *names, struct failure *failure)
{
    names->count = scandir(path, &names->entry, filter, alphasort);
    if (names->count > 0) return true;
    fail(failure, "%s: %s", path,
         names->count < 0 ? strerror(errno) : "the folder is empty");
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

/* Convert interleaved channels to planes (NCHW); drops alpha and repeats gray.
 */
static void copy_to_planar(const struct image *image, int channels,
                           unsigned char *to)
{
    const size_t plane = (size_t)image->width * (size_t)image->height;
    const size_t channel_stride = (size_t)image->channels;

    for (size_t c = 0; c < (size_t)channels; c++)
        for (size_t i = 0; i < plane; i++)
            to[c * plane + i] =
                image->data[i * channel_stride + (channel_stride < 3 ? 0 : c)];
}

/* Reserve space for one more image; the capacity doubles. */
static bool reserve(struct dataset *set, const char *path,
                    struct failure *failure)
{
    const size_t capacity = set->count ? 2 * set->count : 64;
    unsigned char *pixels, *labels;

    if (set->count & (set->count - 1) || (set->count && set->count < 64))
        return true;
    pixels = realloc(set->pixels, capacity * dataset_pixels(set));
    if (pixels) set->pixels = pixels;
    labels = realloc(set->labels, capacity);
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
        ok = fail(failure, "%s: is %d x %d, earlier images are %d x %d", path,
                  image.width, image.height, set->width, set->height);
    else if (image.channels >= 3 && set->channels == 1)
        ok = fail(failure, "%s: is in color, earlier images are gray", path);
    else if ((ok = reserve(set, path, failure))) {
        copy_to_planar(&image, set->channels,
                       set->pixels + set->count * dataset_pixels(set));
        set->labels[set->count++] = (unsigned char)label;
    }
    image_free(&image);
    return ok;
}

static bool add_class(const char *folder, const char *name, int label,
                      struct dataset *set, struct failure *failure)
{
    char path[READER_PATH_BYTES], file[READER_PATH_BYTES];
    struct names names;
    bool ok = true;

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= READER_PATH_BYTES)
        return fail(failure, "%s: the name is too long", folder);
    if (!list_entries(path, is_png, &names, failure)) return false;
    for (int i = 0; i < names.count && ok; i++) {
        if (snprintf(file, sizeof file, "%s/%s", path,
                     names.entry[i]->d_name) >= READER_PATH_BYTES)
            ok = fail(failure, "%s: the name is too long", path);
        else
            ok = add_image(file, label, set, failure);
    }
    snprintf(set->names[label], DATASET_NAME_BYTES, "%.*s",
             DATASET_NAME_BYTES - 1, name);
    free_names(&names);
    return ok;
}

bool read_png_folder(const char *folder, enum dataset_part part,
                     struct dataset *set, struct failure *failure)
{
    char path[READER_PATH_BYTES];
    struct names classes;
    bool ok = true;

    if (snprintf(path, sizeof path, "%s/%s", folder,
                 part == DATASET_TRAIN ? "train" : "test") >= READER_PATH_BYTES)
        return fail(failure, "%s: the name is too long", folder);
    if (!list_entries(path, is_visible, &classes, failure)) return false;
    if (classes.count > DATASET_MAX_CLASSES)
        ok = fail(failure, "%s: %d classes, %d at most", path, classes.count,
                  DATASET_MAX_CLASSES);
    set->classes = classes.count;
    set->names = calloc((size_t)classes.count, sizeof *set->names);
    for (int i = 0; i < classes.count && ok && set->names; i++)
        ok = add_class(path, classes.entry[i]->d_name, i, set, failure);
    if (!set->names) ok = fail(failure, "%s: no memory", path);
    free_names(&classes);
    return ok;
}

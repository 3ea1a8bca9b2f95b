/* SPDX-License-Identifier: MIT */
/** @file
 *  A folder for each class with its pictures: PART/CLASS/NAME.png, .jpg or
 *  .jpeg.  Classes and pictures are sorted by name.  Alpha is dropped.  A set
 *  with gray and color pictures is in color. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "picture.h"
#include "readers.h"

/** The split that is being read. */
struct split {
    const struct dataset_source *source;
    struct dataset *set;
    struct failure *failure;
    size_t capacity; /* images that set->pixels holds */
};

/* Hidden files, "." and ".." are neither classes nor pictures. */
static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/** Sorted entries of a folder; freed by free_names(). */
struct names {
    struct dirent **entry;
    int count;
};

/* List a folder.  Hidden files are left out. */
static bool list_entries(const char *path, struct names *names,
                         struct failure *failure)
{
    names->count = scandir(path, &names->entry, is_visible, alphasort);
    if (names->count >= 0) return true;
    names->entry = NULL;
    return fail(failure, "%s: %s", path, strerror(errno));
}

/* scandir() allocates each entry and the list. */
static void free_names(struct names *names)
{
    for (int i = 0; i < names->count; i++) free(names->entry[i]);
    free(names->entry);
}

/* A path that does not fit is an error rather than cut. */
static bool join(char path[READER_PATH_BYTES], const char *folder,
                 const char *name, struct failure *failure)
{
    return snprintf(path, READER_PATH_BYTES, "%s/%s", folder, name)
               < READER_PATH_BYTES
           || fail(failure, "%s: the name is too long", folder);
}

/* Reserve space for one more image; the capacity doubles. */
static bool reserve(struct split *split, const char *path)
{
    struct dataset *set = split->set;
    const size_t capacity = split->capacity ? 2 * split->capacity : 64;
    unsigned char *pixels, *labels;

    if (set->count < split->capacity) return true;
    pixels = realloc(set->pixels, capacity * dataset_pixels(set));
    if (pixels) set->pixels = pixels;
    labels = realloc(set->labels, capacity);
    if (labels) set->labels = labels;
    split->capacity = capacity;
    return (pixels && labels) || fail(split->failure, "%s: no memory", path);
}

/* The first picture in color: those before it get three equal channels. */
static bool convert_to_color(struct split *split, const char *path)
{
    struct dataset *set = split->set;
    const size_t plane = (size_t)set->height * (size_t)set->width;
    unsigned char *pixels = malloc(3 * plane * split->capacity);

    if (!pixels) return fail(split->failure, "%s: no memory", path);
    for (size_t i = 0; i < 3 * set->count; i++)
        memcpy(pixels + i * plane, set->pixels + i / 3 * plane, plane);
    free(set->pixels);
    set->pixels = pixels;
    set->channels = 3;
    return true;
}

/* The size of the set's images: the first one's, unless the source names
 * one. */
static bool set_size(struct split *split, const char *path,
                     const struct image *image)
{
    const struct dataset_source *source = split->source;
    struct dataset *set = split->set;

    if (set->count == 0) {
        set->channels = image->channels < 3 && !source->is_color ? 1 : 3;
        set->height = source->height ? source->height : image->height;
        set->width = source->width ? source->width : image->width;
        if (set->height > DATASET_MAX_SIDE || set->width > DATASET_MAX_SIDE)
            return fail(split->failure, "%s: is %d x %d, above %d: --resize "
                        "HxW makes it smaller", path, image->width,
                        image->height, DATASET_MAX_SIDE);
    }
    if (!source->height
        && (image->width != set->width || image->height != set->height))
        return fail(split->failure, "%s: is %d x %d, earlier images are %d x "
                    "%d; --resize HxW gives all one size", path, image->width,
                    image->height, set->width, set->height);
    return image->channels < 3 || set->channels == 3
           || convert_to_color(split, path);
}

/* The first picture decides the size of all; each is converted to planes. */
static bool add_picture(struct split *split, const char *path, int label)
{
    struct dataset *set = split->set;
    struct image image;
    bool ok = picture_read(path, &image, split->failure);

    if (!ok) return false;
    ok = set_size(split, path, &image) && reserve(split, path);
    if (ok && !picture_planes(&image, set->channels, set->height, set->width,
                              set->pixels + set->count * dataset_pixels(set)))
        ok = fail(split->failure, "%s: no memory", path);
    if (ok) set->labels[set->count++] = (unsigned char)label;
    image_free(&image);
    return ok;
}

/* All PNG and JPEG files of a folder get its label; other files are counted, so
 * that the user learns of them. */
static bool add_class(struct split *split, const char *path, int label)
{
    const size_t before = split->set->count;
    char file[READER_PATH_BYTES];
    struct names names;
    bool ok = true;

    if (!list_entries(path, &names, split->failure)) return false;
    for (int i = 0; i < names.count && ok; i++) {
        if (!picture_name(names.entry[i]->d_name)) {
            split->set->ignored++;
            continue;
        }
        ok = join(file, path, names.entry[i]->d_name, split->failure)
             && add_picture(split, file, label);
    }
    free_names(&names);
    if (ok && split->set->count == before)
        ok = fail(split->failure, "%s: contains no PNG or JPEG file", path);
    return ok;
}

/* Keep the names of folders; files beside them are counted. */
static void keep_folders(const char *path, struct names *names,
                         struct dataset *set)
{
    char folder[READER_PATH_BYTES];
    struct stat about;
    int kept = 0;

    for (int i = 0; i < names->count; i++)
        if (join(folder, path, names->entry[i]->d_name, NULL)
            && stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) {
            names->entry[kept++] = names->entry[i];
        } else {
            free(names->entry[i]);
            set->ignored++;
        }
    names->count = kept;
}

/* The names of the folders, in alphabetical order, are the classes. */
static bool name_classes(const struct names *classes, struct split *split,
                         const char *path)
{
    const char *list[DATASET_MAX_CLASSES];

    if (classes->count == 0)
        return fail(split->failure, "%s: contains no folder of a class", path);
    if (classes->count > DATASET_MAX_CLASSES)
        return fail(split->failure, "%s: %d classes, %d at most", path,
                    classes->count, DATASET_MAX_CLASSES);
    for (int i = 0; i < classes->count; i++)
        list[i] = classes->entry[i]->d_name;
    split->set->classes = classes->count;
    return dataset_set_names(split->set, list)
           || fail(split->failure, "%s: no memory", path);
}

bool read_pictures(const struct dataset_source *source, enum dataset_part part,
                   struct dataset *set, struct failure *failure)
{
    struct split split = {source, set, failure, 0};
    char path[READER_PATH_BYTES], folder[READER_PATH_BYTES];
    struct names classes;
    bool ok;

    if (!join(path, source->folder, part == DATASET_TRAIN ? "train" : "test",
              failure)
        || !list_entries(path, &classes, failure))
        return false;
    keep_folders(path, &classes, set);
    ok = name_classes(&classes, &split, path);
    for (int i = 0; i < classes.count && ok; i++)
        ok = join(folder, path, classes.entry[i]->d_name, failure)
             && add_class(&split, folder, i);
    free_names(&classes);
    return ok;
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  See fashion.h. */
#include "fashion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096,
    LABEL_HEADER_BYTES = 8 /* bytes before the first label in a label file */
};

const char *fashion_folder(void)
{
    const char *folder = getenv("WARPBOOK_FASHION");

    return folder && *folder ? folder : "/usr/share/datasets/fashion-mnist";
}

static const char *const file_names[2][2] = {
    {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"},
    {"t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"}};

/* A path that does not fit is an error rather than cut. */
static bool make_path(char path[PATH_BYTES], const char *folder,
                      const char *name, struct failure *failure)
{
    return snprintf(path, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES
           || fail(failure, "%s: the name is too long", folder);
}

/* Find a file: compressed, unpacked, or unpacked under the name that has a dot
 * before "idx".  The first name remains if there is none. */
static void find_file(char path[PATH_BYTES])
{
    char other[PATH_BYTES];
    const size_t length = strlen(path) - strlen(".gz");

    if (access(path, F_OK) == 0) return;
    snprintf(other, sizeof other, "%.*s", (int)length, path);
    if (access(other, F_OK) != 0)
        other[length - strlen("-idx3-ubyte")] = '.';
    if (access(other, F_OK) == 0) memcpy(path, other, length + 1);
}

/* Paths of a split's image file and label file. */
static bool find_paths(const char *folder, enum fashion_split split,
                       char path[2][PATH_BYTES], struct failure *failure)
{
    for (int i = 0; i < 2; i++) {
        if (!make_path(path[i], folder, file_names[split][i], failure))
            return false;
        find_file(path[i]);
    }
    return true;
}

/* Check that images are 28 x 28, one label per image, labels below 10. */
static bool check_sizes_and_labels(char path[2][PATH_BYTES],
                                   const struct fashion *set,
                                   struct failure *failure)
{
    const size_t *size = set->images.size;

    if (size[1] != FASHION_SIDE || size[2] != FASHION_SIDE)
        return fail(failure, "%s: images are %zu x %zu, not 28 x 28",
                    path[0], size[1], size[2]);
    if (set->labels.size[0] != size[0])
        return fail(failure, "%s: %zu images but %zu labels", path[1],
                    size[0], set->labels.size[0]);
    for (size_t i = 0; i < set->labels.size[0]; i++)
        if (set->labels.data[i] >= FASHION_CLASSES)
            return fail(failure, "%s: byte %zu: label %zu is %d", path[1],
                        LABEL_HEADER_BYTES + i, i, set->labels.data[i]);
    return true;
}

bool fashion_read(const char *folder, enum fashion_split split,
                  struct fashion *set, struct failure *failure)
{
    char path[2][PATH_BYTES];

    if (!folder) folder = fashion_folder();
    memset(set, 0, sizeof *set);
    if (!find_paths(folder, split, path, failure) ||
        !idx_read(path[0], 3, &set->images, failure) ||
        !idx_read(path[1], 1, &set->labels, failure) ||
        !check_sizes_and_labels(path, set, failure)) {
        fashion_free(set);
        return false;
    }
    set->count = set->images.size[0];
    return true;
}

bool fashion_write(const char *folder, enum fashion_split split,
                   const struct fashion *set, struct failure *failure)
{
    char path[2][PATH_BYTES];

    return make_path(path[0], folder, file_names[split][0], failure) &&
           make_path(path[1], folder, file_names[split][1], failure) &&
           idx_write(path[0], &set->images, failure) &&
           idx_write(path[1], &set->labels, failure);
}

void fashion_free(struct fashion *set)
{
    idx_free(&set->images);
    idx_free(&set->labels);
    set->count = 0;
}

const char *const fashion_classes[FASHION_CLASSES] = {
    "T-shirt", "trousers", "pullover", "dress", "coat",
    "sandal", "shirt", "sneaker", "bag", "ankle boot"};

const char *fashion_class(int label)
{
    return label >= 0 && label < FASHION_CLASSES ? fashion_classes[label] : "?";
}

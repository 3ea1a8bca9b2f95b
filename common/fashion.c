/* SPDX-License-Identifier: MIT */
/** @file
 *  See fashion.h. */
#include "fashion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *fashion_folder(void)
{
    const char *folder = getenv("WARPBOOK_FASHION");

    return folder && *folder ? folder : "/usr/share/datasets/fashion-mnist";
}

/* Read one of the files of the folder. */
static bool read_part(const char *folder, const char *name, int rank,
                      struct idx *idx, struct failure *failure)
{
    char path[4096];

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return fail(failure, "%s: the name is too long", folder);
    return idx_read(path, rank, idx, failure);
}

/* Do the two files have the right sizes and labels? */
static bool belong_together(const char *folder, const struct fashion *set,
                            struct failure *failure)
{
    const size_t *size = set->images.size;

    if (size[1] != FASHION_SIDE || size[2] != FASHION_SIDE)
        return fail(failure, "%s: images are %zu x %zu, not 28 x 28", folder,
                    size[1], size[2]);
    if (set->labels.size[0] != size[0])
        return fail(failure, "%s: %zu images but %zu labels", folder, size[0],
                    set->labels.size[0]);
    for (size_t i = 0; i < set->labels.size[0]; i++)
        if (set->labels.data[i] >= FASHION_CLASSES)
            return fail(failure, "%s: label %zu is %d", folder, i,
                        set->labels.data[i]);
    return true;
}

bool fashion_read(const char *folder, enum fashion_split split,
                  struct fashion *set, struct failure *failure)
{
    bool train = split == FASHION_TRAIN;
    const char *images = train ? "train-images-idx3-ubyte.gz"
                               : "t10k-images-idx3-ubyte.gz";
    const char *labels = train ? "train-labels-idx1-ubyte.gz"
                               : "t10k-labels-idx1-ubyte.gz";

    if (!folder) folder = fashion_folder();
    memset(set, 0, sizeof *set);
    if (!read_part(folder, images, 3, &set->images, failure) ||
        !read_part(folder, labels, 1, &set->labels, failure) ||
        !belong_together(folder, set, failure)) {
        fashion_free(set);
        return false;
    }
    set->count = set->images.size[0];
    return true;
}

void fashion_free(struct fashion *set)
{
    idx_free(&set->images);
    idx_free(&set->labels);
    set->count = 0;
}

const char *fashion_class(int label)
{
    static const char *const names[FASHION_CLASSES] = {
        "T-shirt", "trousers", "pullover", "dress", "coat",
        "sandal", "shirt", "sneaker", "bag", "ankle boot"};

    return label >= 0 && label < FASHION_CLASSES ? names[label] : "?";
}

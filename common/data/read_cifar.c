/* SPDX-License-Identifier: MIT */
/** @file
 *  The binary files of CIFAR: records of a label (CIFAR-100: a coarse label
 *  before the fine one) and 3 x 32 x 32 bytes, the red plane first.  Format
 *  and class names: Alex Krizhevsky's page of the data sets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers.h"

enum { SIDE = 32, CHANNELS = 3, PIXELS = CHANNELS * SIDE * SIDE };

/** Record format of CIFAR-10 or CIFAR-100. */
struct cifar_format {
    int labels;  /* label bytes before the pixels; the last one is used */
    int classes;
};

/* Append the records of one file to `set`. */
static bool append_records(const char *path, const struct bytes *bytes,
                           struct cifar_format cifar_format,
                           struct dataset *set, struct failure *failure)
{
    const size_t record = (size_t)cifar_format.labels + PIXELS;

    for (size_t at = 0; at < bytes->count; at += record, set->count++) {
        const unsigned char *p = bytes->data + at;
        const size_t offset = at + (size_t)cifar_format.labels - 1;

        if (p[cifar_format.labels - 1] >= cifar_format.classes)
            return fail(failure, "%s: byte %zu: label %d, but there are %d "
                        "classes", path, offset, p[cifar_format.labels - 1],
                        cifar_format.classes);
        set->labels[set->count] = p[cifar_format.labels - 1];
        memcpy(set->pixels + set->count * PIXELS, p + cifar_format.labels,
               PIXELS);
    }
    return true;
}

/* Room for the records of one more file: a CIFAR split has several. */
static bool grow_dataset(const char *path, size_t records, struct dataset *set,
                         struct failure *failure)
{
    const size_t all = set->count + records;
    unsigned char *pixels = realloc(set->pixels, all * PIXELS);
    unsigned char *labels = NULL;

    if (pixels) {
        set->pixels = pixels;
        labels = realloc(set->labels, all);
    }
    if (labels) set->labels = labels;
    return labels || fail(failure, "%s: no memory for %zu images", path, all);
}

/* A record is one or two label bytes and the pixels, plane by plane; a file of
 * incomplete records is refused. */
static bool add_file(const char *folder, const char *name,
                     struct cifar_format cifar_format, struct dataset *set,
                     struct failure *failure)
{
    const size_t record = (size_t)cifar_format.labels + PIXELS;
    char path[READER_PATH_BYTES];
    struct bytes bytes;
    bool ok;

    if (!reader_find_file(path, folder, name, failure) ||
        !reader_read_file(path, &bytes, failure))
        return false;
    if (bytes.count % record != 0)
        ok = fail(failure, "%s: byte %zu: the last record is truncated: it "
                  "has %zu of %zu bytes", path,
                  bytes.count / record * record, bytes.count % record, record);
    else
        ok = grow_dataset(path, bytes.count / record, set, failure) &&
             append_records(path, &bytes, cifar_format, set, failure);
    free(bytes.data);
    return ok;
}

/* An empty set of 32 x 32 color images. */
static bool begin_set(struct dataset *set, int classes,
                      const char *const *names, struct failure *failure)
{
    *set = (struct dataset){.channels = CHANNELS, .height = SIDE,
                            .width = SIDE, .classes = classes};
    return dataset_set_names(set, names)
           || fail(failure, "no memory for names");
}

bool read_cifar10(const struct dataset_source *source, enum dataset_part part,
                  struct dataset *set, struct failure *failure)
{
    static const char *const names[] = {
        "airplane", "automobile", "bird", "cat", "deer",
        "dog", "frog", "horse", "ship", "truck"};
    const struct cifar_format cifar_format = {1, 10};
    char name[] = "data_batch_0.bin";
    bool ok = begin_set(set, cifar_format.classes, names, failure);

    if (ok && part == DATASET_TEST)
        return add_file(source->folder, "test_batch.bin", cifar_format, set,
                        failure);
    for (int i = 1; i <= 5 && ok; i++) {
        name[11] = (char)('0' + i);
        ok = add_file(source->folder, name, cifar_format, set, failure);
    }
    return ok;
}

bool read_cifar100(const struct dataset_source *source, enum dataset_part part,
                   struct dataset *set, struct failure *failure)
{
    const struct cifar_format cifar_format = {2, 100};

    return begin_set(set, cifar_format.classes, cifar100_names, failure)
           && add_file(source->folder,
                       part == DATASET_TRAIN ? "train.bin" : "test.bin",
                       cifar_format, set, failure);
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  CIFAR's binary files: records of a label (CIFAR-100: a coarse one before
 *  it) and 3 x 32 x 32 bytes, red first.  Format and class names: Alex
 *  Krizhevsky's page of the sets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers.h"

enum { SIDE = 32, CHANNELS = 3, PIXELS = CHANNELS * SIDE * SIDE };

/** Which of the two sets. */
struct kind {
    int labels;  /* bytes before the pixels; the last one counts */
    int classes;
};

/* Copy the records of one file behind those that `set` has already. */
static bool take_records(const char *path, const struct bytes *bytes,
                         struct kind kind, struct dataset *set,
                         struct failure *failure)
{
    const size_t record = (size_t)kind.labels + PIXELS;

    for (size_t at = 0; at < bytes->count; at += record, set->count++) {
        const unsigned char *p = bytes->data + at;
        const size_t place = at + (size_t)kind.labels - 1;

        if (p[kind.labels - 1] >= kind.classes)
            return fail(failure, "%s: byte %zu: label %d, but there are %d "
                        "classes", path, place, p[kind.labels - 1],
                        kind.classes);
        set->labels[set->count] = p[kind.labels - 1];
        memcpy(set->pixels + set->count * PIXELS, p + kind.labels, PIXELS);
    }
    return true;
}

static bool add_room(const char *path, size_t records, struct dataset *set,
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

static bool add_file(const char *folder, const char *name, struct kind kind,
                     struct dataset *set, struct failure *failure)
{
    const size_t record = (size_t)kind.labels + PIXELS;
    char path[READER_PATH];
    struct bytes bytes;
    bool ok;

    if (!reader_path(path, folder, name, failure) ||
        !reader_bytes(path, &bytes, failure))
        return false;
    if (bytes.count % record != 0)
        ok = fail(failure, "%s: byte %zu: the last record is cut short: it "
                  "has %zu of %zu bytes", path,
                  bytes.count / record * record, bytes.count % record, record);
    else
        ok = add_room(path, bytes.count / record, set, failure) &&
             take_records(path, &bytes, kind, set, failure);
    free(bytes.data);
    return ok;
}

bool read_cifar10(const char *folder, enum dataset_part part,
                  struct dataset *set, struct failure *failure)
{
    static const char *const names[] = {
        "airplane", "automobile", "bird", "cat", "deer",
        "dog", "frog", "horse", "ship", "truck"};
    const struct kind kind = {1, 10};
    char name[] = "data_batch_0.bin";
    bool ok = true;

    *set = (struct dataset){.channels = CHANNELS, .height = SIDE,
                            .width = SIDE, .classes = kind.classes};
    set->names = calloc(10, sizeof *set->names);
    if (!set->names) return fail(failure, "%s: no memory", folder);
    for (int i = 0; i < kind.classes; i++)
        snprintf(set->names[i], DATASET_NAME, "%s", names[i]);
    if (part == DATASET_TEST)
        return add_file(folder, "test_batch.bin", kind, set, failure);
    for (int i = 1; i <= 5 && ok; i++) {
        name[11] = (char)('0' + i);
        ok = add_file(folder, name, kind, set, failure);
    }
    return ok;
}

bool read_cifar100(const char *folder, enum dataset_part part,
                   struct dataset *set, struct failure *failure)
{
    const struct kind kind = {2, 100};

    *set = (struct dataset){.channels = CHANNELS, .height = SIDE,
                            .width = SIDE, .classes = kind.classes};
    return add_file(folder, part == DATASET_TRAIN ? "train.bin" : "test.bin",
                    kind, set, failure);
}

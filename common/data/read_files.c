/* SPDX-License-Identifier: MIT */
/** @file
 *  Reading whole files, compressed or not; Fashion-MNIST and the synthetic
 *  data sets. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "fashion.h"
#include "lookalike.h"
#include "random_bits.h"
#include "readers.h"

#define BYTES_MAX ((size_t)1 << 32)
enum { INITIAL_CAPACITY = 1 << 20, CHUNK = 1 << 30 };

bool reader_find_file(char path[READER_PATH_BYTES], const char *folder,
                      const char *name, struct failure *failure)
{
    if (snprintf(path, READER_PATH_BYTES, "%s/%s.gz", folder, name) >=
        READER_PATH_BYTES)
        return fail(failure, "%s: the name is too long", folder);
    if (access(path, F_OK) != 0) path[strlen(path) - 3] = '\0';
    return true;
}

/* Reserve space for at least one more byte and the terminating 0. */
static bool reserve(struct bytes *bytes, size_t *capacity)
{
    unsigned char *more;

    if (bytes->count + 1 < *capacity) return true;
    *capacity = *capacity ? 2 * *capacity : INITIAL_CAPACITY;
    more = realloc(bytes->data, *capacity);
    if (more) bytes->data = more;
    return more != NULL;
}

/* Read to the end, plain or compressed.  A zero byte follows the content, so
 * that it can be parsed as text. */
static bool read_all(gzFile file, struct bytes *bytes)
{
    size_t capacity = 0;
    int got = 1;

    while (got > 0 && bytes->count <= BYTES_MAX && reserve(bytes, &capacity)) {
        size_t left = capacity - bytes->count - 1;

        got = gzread(file, bytes->data + bytes->count,
                     left < CHUNK ? (unsigned)left : CHUNK);
        bytes->count += got > 0 ? (size_t)got : 0;
    }
    if (bytes->data) bytes->data[bytes->count] = 0;
    return got == 0;
}

bool reader_check_file(const char *path, struct failure *failure)
{
    struct stat about;

    if (stat(path, &about) != 0)
        return fail(failure, "%s: %s", path, strerror(errno));
    return S_ISREG(about.st_mode)
           || fail(failure, "%s: %s", path,
                   S_ISDIR(about.st_mode) ? strerror(EISDIR)
                                          : "a pipe or device, not a file");
}

bool reader_read_file(const char *path, struct bytes *bytes,
                      struct failure *failure)
{
    gzFile file;
    int code = Z_OK;
    bool ok;

    memset(bytes, 0, sizeof *bytes);
    if (!reader_check_file(path, failure)) return false;
    file = gzopen(path, "rb");
    if (!file) return fail(failure, "%s: %s", path, strerror(errno));
    ok = read_all(file, bytes);
    gzerror(file, &code);
    gzclose(file);
    if (!ok || code != Z_OK)
        fail(failure,
             bytes->count > BYTES_MAX ? "%s: above 4 GiB"
                                      : "%s: damaged or truncated",
             path);
    else if (bytes->count == 0)
        ok = fail(failure, "%s: the file is empty", path);
    if (ok && code == Z_OK) return true;
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
    return false;
}

/* --- Fashion-MNIST and its look-alike ------------------------------------ */

/* Move pixels and labels to `set`. */
static bool move_fashion(struct fashion *from, const char *const *names,
                         struct dataset *set, struct failure *failure)
{
    *set = (struct dataset){.count = from->count, .channels = 1,
                            .height = FASHION_SIDE, .width = FASHION_SIDE,
                            .classes = FASHION_CLASSES,
                            .pixels = from->images.data,
                            .labels = from->labels.data};
    from->images.data = from->labels.data = NULL;
    fashion_free(from);
    return dataset_set_names(set, names)
           || fail(failure, "no memory for names");
}

/* A folder with MNIST's file names. */
static bool read_idx_set(const struct dataset_source *source,
                         enum dataset_part part, const char *const *names,
                         struct dataset *set, struct failure *failure)
{
    struct fashion all;

    return fashion_read(source->folder,
                        part == DATASET_TRAIN ? FASHION_TRAIN : FASHION_TEST,
                        &all, failure) &&
           move_fashion(&all, names, set, failure);
}

bool read_fashion(const struct dataset_source *source, enum dataset_part part,
                  struct dataset *set, struct failure *failure)
{
    return read_idx_set(source, part, fashion_classes, set, failure);
}

bool read_mnist(const struct dataset_source *source, enum dataset_part part,
                struct dataset *set, struct failure *failure)
{
    static const char *const digits[FASHION_CLASSES] = {
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

    return read_idx_set(source, part, digits, set, failure);
}

enum { GENERATED_TRAIN = 6000, GENERATED_TEST = 1000 };

bool read_lookalike(const struct dataset_source *source,
                    enum dataset_part part, struct dataset *set,
                    struct failure *failure)
{
    const bool train = part == DATASET_TRAIN;
    struct fashion all;

    (void)source;
    return lookalike_make(train ? GENERATED_TRAIN : GENERATED_TEST,
                          train ? 1 : 2, &all, failure) &&
           move_fashion(&all, fashion_classes, set, failure);
}

/* Center a 28 x 28 gray image in 32 x 32 and map gray levels to random
 * foreground and background colors. */
static void colorize(const unsigned char *gray, unsigned char *rgb,
                     uint64_t *state)
{
    enum { SIDE = 32, MARGIN = (SIDE - FASHION_SIDE) / 2 };

    for (int c = 0; c < 3; c++) {
        const int foreground = 128 + (int)random_below(state, 128);
        const int background = (int)random_below(state, 96);

        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                const int gy = y - MARGIN, gx = x - MARGIN;
                const bool in = gy >= 0 && gy < FASHION_SIDE && gx >= 0 &&
                                gx < FASHION_SIDE;
                const int g = in ? gray[gy * FASHION_SIDE + gx] : 0;

                rgb[(c * SIDE + y) * SIDE + x] =
                    (unsigned char)(background +
                                    (foreground - background) * g / 255);
            }
    }
}

bool read_lookalike_cifar(const struct dataset_source *source,
                          enum dataset_part part, struct dataset *set,
                          struct failure *failure)
{
    struct dataset gray;
    uint64_t state = part == DATASET_TRAIN ? 3 : 4;
    bool ok;

    if (!read_lookalike(source, part, &gray, failure)) return false;
    *set = (struct dataset){.channels = 3, .height = 32, .width = 32,
                            .classes = gray.classes};
    ok = dataset_allocate(set, gray.count, "lookalike-cifar", failure);
    for (size_t i = 0; ok && i < gray.count; i++)
        colorize(gray.pixels + i * dataset_pixels(&gray),
                 set->pixels + i * dataset_pixels(set), &state);
    if (ok) {
        memcpy(set->labels, gray.labels, gray.count);
        set->names = gray.names;
        gray.names = NULL;
    }
    dataset_free(&gray);
    return ok;
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Arrays in NumPy's format, versions 1 to 3: "\x93NUMPY", the version in two
 *  bytes, the length of the header (little-endian; two bytes, from version 2
 *  on four), the header, which is a Python dictionary, the elements.  Source:
 *  NumPy's documentation, "NPY format". */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers.h"

enum { MAX_RANK = 4 };

/** An array and its file's content. */
struct array {
    int rank;
    size_t size[MAX_RANK];
    char type[8];              /* "|u1", "<i4", ... */
    size_t element_bytes;            /* bytes per element */
    size_t at;                 /* offset of the first element in the file */
    struct bytes bytes;
};

/* The text after `'key':` in the header, or NULL. */
static const char *find_value(const char *header, const char *key)
{
    const char *at = strstr(header, key);

    if (!at) return NULL;
    at += strlen(key);
    while (*at == ' ' || *at == ':') at++;
    return at;
}

/* Parse "(60000, 28, 28)" or "(10,)". */
static bool parse_shape(const char *text, struct array *a)
{
    if (!text || *text++ != '(') return false;
    for (a->rank = 0; a->rank < MAX_RANK; a->rank++) {
        char *end;

        while (*text == ' ' || *text == ',') text++;
        if (*text == ')') return a->rank > 0;
        if (!isdigit((unsigned char)*text)) return false;
        a->size[a->rank] = strtoull(text, &end, 10);
        text = end;
    }
    while (*text == ' ' || *text == ',') text++;
    return *text == ')';
}

/* The header is a Python dictionary; only its three keys are read. */
static bool parse_header(const char *path, const char *header,
                         struct array *a, struct failure *failure)
{
    const char *type = find_value(header, "'descr'");
    const char *order = find_value(header, "'fortran_order'");

    if (!type || !order || sscanf(type, "'%7[^']'", a->type) != 1)
        return fail(failure, "%s: byte 10: the header is not a NumPy "
                    "dictionary", path);
    if (strncmp(order, "False", 5) != 0)
        return fail(failure, "%s: column-major (fortran_order); "
                    "save numpy.ascontiguousarray(...)", path);
    if (!parse_shape(find_value(header, "'shape'"), a))
        return fail(failure, "%s: byte 10: a shape of 1 to %d dimensions is "
                    "needed", path, MAX_RANK);
    /* The size is in the type: "<i8"; "|O" and "<U3" have none in bytes. */
    if (!strchr("uifb", a->type[1]) || a->type[2] < '1' || a->type[2] > '8'
        || a->type[3])
        return fail(failure, "%s: elements are %s; numbers are needed", path,
                    a->type);
    a->element_bytes = (size_t)(a->type[2] - '0');
    return true;
}

/* The product of shape and element size must be what the file holds; overflow
 * is an error. */
static bool check_size(const char *path, const struct array *a,
                       struct failure *failure)
{
    size_t expected = a->element_bytes, actual = a->bytes.count - a->at;

    for (int i = 0; i < a->rank; i++) {
        if (a->size[i] && expected > SIZE_MAX / a->size[i])
            return fail(failure, "%s: the shape is too large", path);
        expected *= a->size[i];
    }
    return expected == actual ||
           fail(failure, "%s: byte %zu: the shape needs %zu bytes of "
                "elements, the file has %zu", path, a->at, expected, actual);
}

/* Format 1 has 2 bytes for the header's length, format 2 and 3 have 4. */
static bool parse(const char *path, struct array *a, struct failure *failure)
{
    const unsigned char *p = a->bytes.data;
    char header[512] = "";
    size_t length;

    if (a->bytes.count < 12 || memcmp(p, "\x93NUMPY", 6) != 0)
        return fail(failure, "%s: not a NumPy file", path);
    length = p[8] | (size_t)p[9] << 8;
    if (p[6] > 1) length |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
    a->at = (p[6] > 1 ? 12 : 10) + length;
    if (a->at > a->bytes.count)
        return fail(failure, "%s: byte 8: a header of %zu bytes, in a file of "
                    "%zu", path, length, a->bytes.count);
    snprintf(header, sizeof header, "%.*s",
             (int)(length < sizeof header ? length : sizeof header - 1),
             (const char *)p + a->at - length);
    return parse_header(path, header, a, failure) &&
           check_size(path, a, failure);
}

/* Find, read and parse; on failure a->bytes may hold memory. */
static bool read_array(const char *folder, const char *name, struct array *a,
                       char path[READER_PATH_BYTES], struct failure *failure)
{
    memset(a, 0, sizeof *a);
    return reader_find_file(path, folder, name, failure) &&
           reader_read_file(path, &a->bytes, failure) &&
           parse(path, a, failure);
}

/* Copy the images to NCHW.  Accepts [n][h][w], [n][c][h][w] with 1 or 3
 * channels, and [n][h][w][c]. */
static bool parse_images(const char *path, const struct array *a,
                         struct dataset *set, struct failure *failure)
{
    const int last = a->rank == 4 && (a->size[3] == 1 || a->size[3] == 3);
    const size_t *s = a->size;
    const unsigned char *p = a->bytes.data + a->at;

    if (strcmp(a->type, "|u1") != 0)
        return fail(failure, "%s: elements are %s; bytes (uint8) are needed",
                    path, a->type);
    if (a->rank < 3 || (a->rank == 4 && !last && s[1] != 1 && s[1] != 3))
        return fail(failure, "%s: images need the shape (n, h, w), "
                    "(n, 3, h, w) or (n, h, w, 3)", path);
    if (s[1] > DATASET_MAX_SIDE || s[2] > DATASET_MAX_SIDE
        || (a->rank == 4 && s[3] > DATASET_MAX_SIDE))
        return fail(failure, "%s: images have at most %d rows and columns",
                    path, DATASET_MAX_SIDE);
    set->channels = a->rank == 3 ? 1 : (int)s[last ? 3 : 1];
    set->height = (int)(a->rank == 3 || last ? s[1] : s[2]);
    set->width = (int)(a->rank == 3 || last ? s[2] : s[3]);
    if (!dataset_allocate(set, s[0], path, failure)) return false;
    const size_t plane = (size_t)set->height * (size_t)set->width;
    const size_t channels = (size_t)set->channels;

    if (!last || channels == 1) {
        memcpy(set->pixels, p, s[0] * dataset_pixels(set));
        return true;
    }
    for (size_t i = 0; i < s[0] * channels * plane; i++) {
        const size_t image = i / (channels * plane), in = i % plane;

        set->pixels[i] = p[(image * plane + in) * channels
                           + i / plane % channels];
    }
    return true;
}

/* A little-endian integer of `bytes` bytes. */
static int64_t load_integer(const unsigned char *p, size_t bytes, bool sign)
{
    uint64_t value = 0;

    for (size_t i = 0; i < bytes; i++) value |= (uint64_t)p[i] << 8 * i;
    if (sign && bytes < 8 && p[bytes - 1] >= 128)
        value |= ~(uint64_t)0 << 8 * bytes;
    return (int64_t)value;
}

/* Integers of 1 to 8 bytes, little-endian; the largest label decides the number
 * of classes. */
static bool parse_labels(const char *path, const struct array *a,
                         struct dataset *set, struct failure *failure)
{
    const bool is_integer = (a->type[1] == 'u' || a->type[1] == 'i') &&
                          a->type[0] != '>' && a->element_bytes >= 1 &&
                          a->element_bytes <= 8;

    if (!is_integer)
        return fail(failure, "%s: elements are %s; integers are needed",
                    path, a->type);
    /* A column, (n, 1), holds one label an image, too. */
    if ((a->rank != 1 && (a->rank != 2 || a->size[1] != 1))
        || a->size[0] != set->count)
        return fail(failure, "%s: has %zu labels in %d dimensions for %zu "
                    "images", path, a->size[0], a->rank, set->count);
    for (size_t i = 0; i < set->count; i++) {
        const size_t at = a->at + i * a->element_bytes;
        const int64_t label = load_integer(a->bytes.data + at, a->element_bytes,
                                           a->type[1] == 'i');

        if (label < 0 || label >= DATASET_MAX_CLASSES)
            return fail(failure, "%s: byte %zu: label %lld is not in 0 to %d",
                        path, at, (long long)label, DATASET_MAX_CLASSES - 1);
        set->labels[i] = (unsigned char)label;
        if (label >= set->classes) set->classes = (int)label + 1;
    }
    return true;
}

bool read_npy_folder(const struct dataset_source *source,
                     enum dataset_part part, struct dataset *set,
                     struct failure *failure)
{
    const char *folder = source->folder;
    const bool train = part == DATASET_TRAIN;
    char path[READER_PATH_BYTES];
    struct array a;
    bool ok = read_array(folder, train ? "train_images.npy" : "test_images.npy",
                         &a, path, failure) &&
              parse_images(path, &a, set, failure);

    free(a.bytes.data);
    if (!ok) return false;
    ok = read_array(folder, train ? "train_labels.npy" : "test_labels.npy",
                    &a, path, failure) &&
         parse_labels(path, &a, set, failure);
    free(a.bytes.data);
    return ok;
}

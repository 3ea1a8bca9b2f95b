/* SPDX-License-Identifier: MIT */
/** @file
 *  Reading safetensors.  Files are untrusted: everything is validated. */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/data/readers.h"
#include "safetensors.h"
#include "tensor_types.h"

enum { HEADER_MAX = 100 << 20 /* limit of the format */ };

/** The file being parsed. */
struct parser {
    const char *path;
    size_t data_offset, data_bytes; /* offset and size of the data section */
    const unsigned char *content;
    struct failure *failure;
};

/* Sizes are limited, so that their product cannot overflow later. */
static bool read_shape(const struct parser *s, const json_t *shape,
                       struct tensor *t)
{
    t->rank = (int)json_array_size(shape);
    if (!json_is_array(shape) || json_array_size(shape) > TENSOR_MAX_RANK)
        return fail(s->failure,
                    "%s: %s: a shape of up to %d dimensions is needed",
                    s->path, t->name, TENSOR_MAX_RANK);
    for (int i = 0; i < t->rank; i++) {
        const json_t *size = json_array_get(shape, (size_t)i);

        t->size[i] = (size_t)json_integer_value(size);
        if (!json_is_integer(size) || json_integer_value(size) < 0 ||
            json_integer_value(size) > (json_int_t)1 << 40)
            return fail(s->failure, "%s: %s: size %d is out of range", s->path,
                        t->name, i);
    }
    return true;
}

/* Only the types of the table; PyTorch writes others, too. */
static bool read_type(const struct parser *s, const char *name,
                      struct tensor *t)
{
    for (size_t i = 0; name && i < tensor_type_count; i++)
        if (strcmp(name, tensor_types[i].name) == 0) {
            t->type = (enum tensor_dtype)i;
            return true;
        }
    return fail(s->failure, "%s: %s: the dtype is \"%s\"; F32, F16, BF16, F64, "
                "I64 or U8 are needed", s->path, t->name, name ? name : "");
}

/* Parse data_offsets; they must be inside the file and match the shape. */
static bool read_offsets(const struct parser *s, const json_t *offsets,
                         struct tensor *t)
{
    const json_int_t from = json_integer_value(json_array_get(offsets, 0));
    const json_int_t to = json_integer_value(json_array_get(offsets, 1));
    size_t expected = tensor_types[t->type].bytes;

    if (json_array_size(offsets) != 2 || from < 0 || to < from ||
        (size_t)to > s->data_bytes)
        return fail(s->failure, "%s: %s: needs bytes %lld to %lld, but there "
                    "are %zu", s->path, t->name, (long long)from,
                    (long long)to, s->data_bytes);
    for (int i = 0; i < t->rank; i++) {
        if (t->size[i] && expected > s->data_bytes / t->size[i] + 8)
            return fail(s->failure, "%s: %s: larger than the file", s->path,
                        t->name);
        expected *= t->size[i];
    }
    if ((size_t)(to - from) != expected)
        return fail(s->failure, "%s: %s: byte %lld: %lld bytes do not fit the "
                    "shape", s->path, t->name, (long long)from,
                    (long long)(to - from));
    t->data = s->content + s->data_offset + from;
    return true;
}

/* Strings only, as the format demands; the checksum is no metadata of the
 * caller. */
static bool read_metadata(const struct parser *s, json_t *object,
                          struct tensors *out)
{
    const char *name;
    json_t *value;

    json_object_foreach(object, name, value) {
        struct tensor_metadata *entry = &out->metadata[out->metadata_count];

        if (out->checked && strcmp(name, TENSORS_CHECKSUM) == 0) continue;
        if (out->metadata_count == TENSOR_MAX_METADATA ||
            !json_is_string(value))
            return fail(s->failure, "%s: __metadata__: up to %d strings are "
                        "needed", s->path, TENSOR_MAX_METADATA);
        snprintf(entry->name, sizeof entry->name, "%s", name);
        entry->text = strdup(json_string_value(value));
        if (!entry->text) return fail(s->failure, "%s: no memory", s->path);
        out->metadata_count++;
    }
    return true;
}

/* One entry of the header: type, shape, offsets into the data. */
static bool read_tensor(const struct parser *s, const char *name,
                        const json_t *value, struct tensors *out)
{
    struct tensor *t = &out->list[out->count];

    if (out->count == TENSOR_MAX_COUNT || strlen(name) >= TENSOR_NAME_BYTES)
        return fail(s->failure,
                    "%s: more than %d tensors, or a name of more "
                    "than %d bytes",
                    s->path, TENSOR_MAX_COUNT, TENSOR_NAME_BYTES - 1);
    strcpy(t->name, name);
    out->count++;
    return read_type(s, json_string_value(json_object_get(value, "dtype")), t)
           && read_shape(s, json_object_get(value, "shape"), t) &&
           read_offsets(s, json_object_get(value, "data_offsets"), t);
}

/* Any order of entries is accepted. */
static bool read_header(const struct parser *s, json_t *root,
                        struct tensors *out)
{
    const char *name;
    json_t *value;

    out->list = calloc(TENSOR_MAX_COUNT, sizeof *out->list);
    out->metadata = calloc(TENSOR_MAX_METADATA, sizeof *out->metadata);
    if (!out->list || !out->metadata)
        return fail(s->failure, "%s: no memory", s->path);
    json_object_foreach(root, name, value) {
        const bool ok = strcmp(name, "__metadata__") == 0
                            ? read_metadata(s, value, out)
                            : read_tensor(s, name, value, out);
        if (!ok) return false;
    }
    return true;
}

/* By position in the file; an empty tensor before one that begins at the same
 * byte. */
static int compare_offsets(const void *a, const void *b)
{
    const struct tensor *const *one = a, *const *other = b;
    const char *from = (*one)->data, *to = (*other)->data;

    if (from != to)
        return from < to ? -1 : 1;
    return (tensor_bytes(*one) > 0) - (tensor_bytes(*other) > 0);
}

/* The format requires that each byte belongs to exactly one tensor: overlaps
 * could make a small file claim much memory, holes could hide data. */
static bool check_coverage(const struct parser *s, const struct tensors *out)
{
    const struct tensor *order[TENSOR_MAX_COUNT];
    size_t at = 0;

    for (size_t i = 0; i < out->count; i++) order[i] = &out->list[i];
    qsort(order, out->count, sizeof *order, compare_offsets);
    for (size_t i = 0; i < out->count; i++) {
        const size_t from = (size_t)((const unsigned char *)order[i]->data
                                     - s->content) - s->data_offset;

        if (from < at)
            return fail(s->failure, "%s: %s: byte %zu belongs to %s, too",
                        s->path, order[i]->name, from, order[i - 1]->name);
        if (from > at)
            return fail(s->failure, "%s: bytes %zu to %zu belong to no tensor",
                        s->path, at, from);
        at = from + tensor_bytes(order[i]);
    }
    return at == s->data_bytes
           || fail(s->failure, "%s: bytes %zu to %zu belong to no tensor",
                   s->path, at, s->data_bytes);
}

/* Compare the checksum, if there is one.  `header`: writable; unchanged after
 * the call. */
static bool check_crc(const struct parser *s, size_t bytes, char *header,
                      size_t length, struct tensors *out)
{
    char *at = tensors_find_checksum(header, length), digits[9] = "", own[9];

    if (!at) return true;
    memcpy(digits, at, 8);
    memcpy(at, "00000000", 8);
    snprintf(own, sizeof own, "%08lx",
             crc32_z(0, s->content, bytes) & 0xffffffff);
    memcpy(at, digits, 8);
    out->checked = strcmp(own, digits) == 0;
    return out->checked
           || fail(s->failure, "%s: damaged: its checksum is %s, its content "
                   "has %s", s->path, digits, own);
}

/* The first 8 bytes are the length of the JSON header, little-endian. */
static bool parse(struct parser *s, size_t bytes, struct tensors *out)
{
    uint64_t length = 0;
    json_error_t error;
    json_t *root;
    bool ok;

    for (int i = 0; i < 8 && bytes >= 8; i++)
        length |= (uint64_t)s->content[i] << 8 * i;
    if (bytes < 8 || length > HEADER_MAX || length > bytes - 8)
        return fail(s->failure, "%s: byte 0: not a safetensors file: a header "
                    "of %llu bytes in a file of %zu", s->path,
                    (unsigned long long)length, bytes);
    if (!check_crc(s, bytes, (char *)out->content + 8, (size_t)length, out))
        return false;
    root = json_loadb((const char *)s->content + 8, (size_t)length,
                      JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root)) {
        json_decref(root);
        return fail(s->failure,
                    "%s: byte %d: the header is not a JSON object: %s",
                    s->path, 8 + error.position, error.text);
    }
    s->data_offset = 8 + (size_t)length;
    s->data_bytes = bytes - s->data_offset;
    ok = read_header(s, root, out) && check_coverage(s, out);
    json_decref(root);
    return ok;
}

bool safetensors_read(const char *path, struct tensors *tensors,
                      struct failure *failure)
{
    struct parser parser = {.path = path, .failure = failure};
    struct bytes bytes;

    memset(tensors, 0, sizeof *tensors);
    if (!reader_read_file(path, &bytes, failure)) return false;
    tensors->content = bytes.data;
    parser.content = bytes.data;
    if (parse(&parser, bytes.count, tensors)) return true;
    tensors_free(tensors);
    return false;
}

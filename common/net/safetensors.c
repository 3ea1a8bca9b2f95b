/* SPDX-License-Identifier: MIT */
/** @file
 *  Writing safetensors, and functions shared with reading; see safetensors.h.
 */
#include "safetensors.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/base/new_file.h"
#include "tensor_types.h"

const struct tensor_type_info tensor_types[] = {
    {"F32", 4}, {"I64", 8}, {"U8", 1}, {"F16", 2}, {"BF16", 2}, {"F64", 8}};
const size_t tensor_type_count = sizeof tensor_types / sizeof *tensor_types;

size_t tensor_bytes(const struct tensor *tensor)
{
    size_t bytes = tensor_types[tensor->type].bytes;

    for (int i = 0; i < tensor->rank; i++) bytes *= tensor->size[i];
    return bytes;
}

const struct tensor *tensors_find(const struct tensors *tensors,
                                  const char *name)
{
    for (size_t i = 0; i < tensors->count; i++)
        if (strcmp(tensors->list[i].name, name) == 0)
            return &tensors->list[i];
    return NULL;
}

const char *tensors_metadata(const struct tensors *tensors, const char *name)
{
    for (size_t i = 0; i < tensors->metadata_count; i++)
        if (strcmp(tensors->metadata[i].name, name) == 0)
            return tensors->metadata[i].text;
    return NULL;
}

void tensors_free(struct tensors *tensors)
{
    for (size_t i = 0; i < tensors->metadata_count; i++)
        free(tensors->metadata[i].text);
    free(tensors->list);
    free(tensors->metadata);
    free(tensors->content);
    memset(tensors, 0, sizeof *tensors);
}

/* {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]} */
static json_t *tensor_to_json(const struct tensor *tensor, size_t at)
{
    json_t *shape = json_array();

    for (int i = 0; i < tensor->rank; i++)
        json_array_append_new(shape,
                              json_integer((json_int_t)tensor->size[i]));
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype",
                     tensor_types[tensor->type].name, "shape", shape,
                     "data_offsets", (json_int_t)at,
                     (json_int_t)(at + tensor_bytes(tensor)));
}

/* The JSON header, padded with spaces so that the data are aligned to 8 bytes;
 * NULL without memory. */
static char *make_header(const struct tensors *tensors, size_t *length)
{
    json_t *root = json_object(), *metadata = json_object();
    size_t at = 0;
    char *text, *padded = NULL;

    for (size_t i = 0; i < tensors->metadata_count; i++)
        json_object_set_new(metadata, tensors->metadata[i].name,
                            json_string(tensors->metadata[i].text));
    json_object_set_new(metadata, TENSORS_CHECKSUM, json_string("00000000"));
    json_object_set_new(root, "__metadata__", metadata);
    for (size_t i = 0; i < tensors->count; i++) {
        json_object_set_new(root, tensors->list[i].name,
                            tensor_to_json(&tensors->list[i], at));
        at += tensor_bytes(&tensors->list[i]);
    }
    text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    if (text) {
        *length = (strlen(text) + 7) / 8 * 8;
        padded = malloc(*length + 1);
    }
    if (padded) sprintf(padded, "%-*s", (int)*length, text);
    free(text);
    return padded;
}

char *tensors_find_checksum(char *header, size_t length)
{
    static const char key[] = "\"" TENSORS_CHECKSUM "\":\"";
    char *at = memmem(header, length, key, sizeof key - 1);
    const size_t digits = 8;

    if (!at || (size_t)(header + length - at) < sizeof key + digits)
        return NULL;
    at += sizeof key - 1;
    return at[digits] == '"' ? at : NULL;
}

/* Put the checksum of the file in place of its zeros. */
static void store_checksum(const struct tensors *tensors,
                           const unsigned char head[8], char *header,
                           size_t length)
{
    uLong crc = crc32_z(crc32_z(0, head, 8), (unsigned char *)header, length);
    char *at = tensors_find_checksum(header, length), digits[9];

    for (size_t i = 0; i < tensors->count; i++)
        if (tensor_bytes(&tensors->list[i])) /* NULL would begin again */
            crc = crc32_z(crc, tensors->list[i].data,
                          tensor_bytes(&tensors->list[i]));
    snprintf(digits, sizeof digits, "%08lx", crc & 0xffffffff);
    if (at) memcpy(at, digits, 8);
}

/* Length of the header, header, data in the order of the list; fsync() comes
 * before the rename that publishes the file. */
static bool write_all(FILE *file, const struct tensors *tensors,
                      char *header, size_t length)
{
    unsigned char head[8];
    bool ok;

    for (int i = 0; i < 8; i++)
        head[i] = (unsigned char)((uint64_t)length >> 8 * i);
    store_checksum(tensors, head, header, length);
    ok = fwrite(head, 1, 8, file) == 8 &&
         fwrite(header, 1, length, file) == length;
    for (size_t i = 0; i < tensors->count && ok; i++) {
        const size_t bytes = tensor_bytes(&tensors->list[i]);

        ok = bytes == 0 ||
             fwrite(tensors->list[i].data, 1, bytes, file) == bytes;
    }
    return ok && fflush(file) == 0 && fsync(fileno(file)) == 0;
}

bool safetensors_write(const char *path, const struct tensors *tensors,
                       struct failure *failure)
{
    struct new_file new;
    size_t length = 0;
    char *header = make_header(tensors, &length);
    FILE *file = NULL;
    bool ok;

    if (!header) return fail(failure, "%s: no memory", path);
    if (new_file_create(AT_FDCWD, path, &new)) file = new_file_stream(&new);
    ok = file && write_all(file, tensors, header, length);
    if (file && fclose(file) != 0) ok = false;
    free(header);
    if (ok && new_file_publish(&new)) return true;
    fail(failure, "%s: %s", path, strerror(errno));
    new_file_discard(&new);
    return false;
}

/* SPDX-License-Identifier: MIT */
/* Bytes of a message: a growing buffer and a bounded cursor. */
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct bytes *out, size_t length)
{
    size_t capacity = out->capacity ? out->capacity : 256;
    unsigned char *grown;

    if (out->failed || length > SIZE_MAX / 2 - out->length)
        return false;
    while (capacity < out->length + length)
        capacity *= 2;
    if (capacity == out->capacity)
        return true;
    grown = realloc(out->data, capacity);
    if (!grown)
        return false;
    out->data = grown;
    out->capacity = capacity;
    return true;
}

void buffer_append(struct bytes *out, const void *data, size_t length)
{
    if (length == 0)
        return;
    if (!reserve(out, length)) {
        out->failed = true;
        return;
    }
    memcpy(out->data + out->length, data, length);
    out->length += length;
}

void buffer_append_u32(struct bytes *out, uint32_t value)
{
    buffer_append(out, &value, sizeof value);
}

void buffer_append_u64(struct bytes *out, uint64_t value)
{
    buffer_append(out, &value, sizeof value);
}

void buffer_free(struct bytes *out)
{
    free(out->data);
    *out = (struct bytes){0};
}

const void *reader_bytes(struct reader *in, uint64_t length)
{
    const void *at = in->at;

    if (in->failed || length > in->left) {
        in->failed = true;
        return NULL;
    }
    in->at += length;
    in->left -= length;
    return at;
}

uint32_t reader_u32(struct reader *in)
{
    uint32_t value = 0;
    const void *at = reader_bytes(in, sizeof value);

    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

uint64_t reader_u64(struct reader *in)
{
    uint64_t value = 0;
    const void *at = reader_bytes(in, sizeof value);

    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

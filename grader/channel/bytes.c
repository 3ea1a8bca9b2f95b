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

void bytes_put(struct bytes *out, const void *data, size_t length)
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

void bytes_put32(struct bytes *out, uint32_t value)
{
    bytes_put(out, &value, sizeof value);
}

void bytes_put64(struct bytes *out, uint64_t value)
{
    bytes_put(out, &value, sizeof value);
}

void bytes_free(struct bytes *out)
{
    free(out->data);
    *out = (struct bytes){0};
}

const void *read_raw(struct reader *in, uint64_t length)
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

uint32_t read32(struct reader *in)
{
    uint32_t value = 0;
    const void *at = read_raw(in, sizeof value);

    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

uint64_t read64(struct reader *in)
{
    uint64_t value = 0;
    const void *at = read_raw(in, sizeof value);

    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

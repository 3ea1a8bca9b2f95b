/* SPDX-License-Identifier: MIT */
/* Sets of bytes. */
#include "byte_set.h"

#include <stdlib.h>
#include <string.h>

/* The last byte of a set is never full: it has the bits of bytes % 8. */
unsigned char *byte_set_create(size_t bytes)
{
    unsigned char *set = calloc(1, bytes / 8 + 1);

    if (!set)
        abort();
    return set;
}

/* Single bits up to a multiple of 8, whole bytes of the set, single bits. */
void byte_set_add(unsigned char *set, size_t from, size_t bytes)
{
    const size_t end = from + bytes;

    for (; from < end && from % 8; from++)
        set[from / 8] |= 1u << from % 8;
    if (end - from >= 8) {
        memset(set + from / 8, 0xff, (end - from) / 8);
        from += (end - from) / 8 * 8;
    }
    for (; from < end; from++)
        set[from / 8] |= 1u << from % 8;
}

size_t byte_set_missing(const unsigned char *set, size_t from, size_t bytes)
{
    size_t i = from / 8;

    while (i < bytes / 8 && set[i] == 0xff)
        i++;
    return i * 8;
}

bool byte_set_has(const unsigned char *set, size_t from, size_t bytes)
{
    for (size_t i = from; i < from + bytes; i++)
        if (!(set[i / 8] >> i % 8 & 1))
            return false;
    return true;
}

bool byte_set_is_full(const unsigned char *set, size_t bytes)
{
    for (size_t i = 0; i < bytes / 8; i++)
        if (set[i] != 0xff)
            return false;
    return set[bytes / 8] == (1u << bytes % 8) - 1;
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Seeded mutations of byte strings, for bounded fuzz tests of readers.
 */
#ifndef BASE_MUTATE_H
#define BASE_MUTATE_H

#include <stddef.h>

/** Bytes with room for MUTATE_BYTES. */
struct input {
    unsigned char *data; /**< the bytes, then a NUL */
    size_t length;       /**< how many */
};

enum { MUTATE_BYTES = 1 << 16 /**< an input is never longer */ };

/** Change an input in one to eight places: bits, bytes, numbers that are
 *  limits of types, words, parts that are repeated, moved or left out, and
 *  parts of another input.
 *  @param words  that the format knows, NULL-terminated, or NULL
 *  @param other  where parts are taken from; may be the same input */
void mutate(struct input *input, const char *const *words,
            const struct input *other);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory of the compiler: arenas, growing strings, lists of strings.
 *
 *  A request that cannot be met ends the program with exit code 4.
 */
#ifndef SOFTCC_ARENA_H
#define SOFTCC_ARENA_H

#include <stddef.h>

/** Memory that is freed all at once. */
struct arena {
    struct chunk *chunks; /**< NULL while empty */
};

/** Allocate zeroed memory, aligned to 16 bytes. */
void *arena_alloc(struct arena *arena, size_t bytes);
/** Free all that arena_alloc returned. */
void arena_free(struct arena *arena);

/** A string that grows; bytes[length] is always 0. */
struct buffer {
    char *bytes;   /**< NULL while empty; release with free() */
    size_t length; /**< without the 0 */
    size_t capacity;   /**< bytes allocated */
};

/** Append n bytes. */
void buffer_write(struct buffer *b, const char *bytes, size_t n);
/** Append text formatted as by printf. */
void buffer_printf(struct buffer *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** A list of strings, such as a command line; NULL-terminated once it has
 *  any. */
struct list {
    const char **at; /**< NULL while empty; release with free() */
    int count;       /**< strings, without the NULL */
};

/** Append one string; the list keeps the pointer. */
void list_append(struct list *list, const char *string);
/** Append all strings of another list. */
void list_extend(struct list *list, const struct list *other);
/** Concatenate three strings. @return a string to free */
char *concatenate(const char *a, const char *b, const char *c);

#endif

/* SPDX-License-Identifier: MIT */
/* Arenas, growing strings, lists of strings. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

#define CHUNK 65536 /* bytes; a token list takes a few hundred of them */

struct chunk {
    struct chunk *next;
    size_t used, capacity;
    _Alignas(16) char bytes[];
};

static void *check_allocated(void *p)
{
    if (p == NULL) {
        fputs("softcc: out of memory\n", stderr);
        exit(4);
    }
    return p;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    struct chunk *c = arena->chunks;
    bytes = (bytes + 15) & ~(size_t)15;
    if (c == NULL || c->capacity - c->used < bytes) {
        size_t capacity = bytes > CHUNK ? bytes : CHUNK;
        c = check_allocated(calloc(1, sizeof *c + capacity));
        c->capacity = capacity;
        c->next = arena->chunks;
        arena->chunks = c;
    }
    c->used += bytes;
    return c->bytes + c->used - bytes;
}

void arena_free(struct arena *arena)
{
    while (arena->chunks) {
        struct chunk *c = arena->chunks;
        arena->chunks = c->next;
        free(c);
    }
}

static void reserve(struct buffer *b, size_t n)
{
    if (b->length + n < b->capacity)
        return;
    b->capacity = (b->length + n + 1) * 2;
    b->bytes = check_allocated(realloc(b->bytes, b->capacity));
}

void buffer_write(struct buffer *b, const char *bytes, size_t n)
{
    reserve(b, n + 1);
    if (n)
        memcpy(b->bytes + b->length, bytes, n);
    b->length += n;
    b->bytes[b->length] = 0;
}

void buffer_printf(struct buffer *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    reserve(b, (size_t)n + 1);
    vsnprintf(b->bytes + b->length, (size_t)n + 1, format, again);
    b->length += (size_t)n;
    va_end(args);
    va_end(again);
}

void list_append(struct list *list, const char *string)
{
    size_t bytes = sizeof *list->at * (size_t)(list->count + 2);
    list->at = check_allocated(realloc(list->at, bytes));
    list->at[list->count++] = string;
    list->at[list->count] = NULL;
}

void list_extend(struct list *list, const struct list *other)
{
    for (int i = 0; i < other->count; i++)
        list_append(list, other->at[i]);
}

char *concatenate(const char *a, const char *b, const char *c)
{
    size_t n = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = check_allocated(malloc(n));
    snprintf(text, n, "%s%s%s", a, b, c);
    return text;
}

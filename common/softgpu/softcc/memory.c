/* SPDX-License-Identifier: MIT */
/* Memory: an arena for what lives as long as a unit, and growing strings. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softcc.h"

#define CHUNK 65536 /* bytes; a token list takes a few hundred of them */

struct chunk {
    struct chunk *next;
    size_t used, room;
    _Alignas(16) char bytes[];
};

static void *must(void *p)
{
    if (p == NULL) {
        fputs("softcc: out of memory\n", stderr);
        exit(4);
    }
    return p;
}

void *arena_get(struct arena *arena, size_t bytes)
{
    struct chunk *c = arena->chunks;
    bytes = (bytes + 15) & ~(size_t)15;
    if (c == NULL || c->room - c->used < bytes) {
        size_t room = bytes > CHUNK ? bytes : CHUNK;
        c = must(calloc(1, sizeof *c + room));
        c->room = room;
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

static void make_room(struct buffer *b, size_t n)
{
    if (b->length + n < b->room)
        return;
    b->room = (b->length + n + 1) * 2;
    b->bytes = must(realloc(b->bytes, b->room));
}

void buffer_add(struct buffer *b, const char *bytes, size_t n)
{
    make_room(b, n + 1);
    if (n)
        memcpy(b->bytes + b->length, bytes, n);
    b->length += n;
    b->bytes[b->length] = 0;
}

void buffer_print(struct buffer *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    make_room(b, (size_t)n + 1);
    vsnprintf(b->bytes + b->length, (size_t)n + 1, format, again);
    b->length += (size_t)n;
    va_end(args);
    va_end(again);
}

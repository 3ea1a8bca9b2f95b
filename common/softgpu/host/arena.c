/* SPDX-License-Identifier: MIT */
/** @file
 *  A range of addresses that memory is handed out from.
 */
#include "arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGN ((size_t)256)     /* of every allocation, as CUDA says */
#define CHUNK ((size_t)2 << 20) /* mapped at a time, as on a card */
#define RED 0xFD                /* the red zone's bytes */

static size_t up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Reserve addresses: twice the limit, so that gaps between allocations do not
 * use them up; less where the system grants less.  In the middle of the
 * address space, if it is free: an index far too large, of either sign, then
 * still makes an address that faults with its value known. */
static int reserve(struct softgpu_arena *a, size_t limit)
{
    static char *wish = (char *)((size_t)1 << 45);
    size_t bytes = up(2 * limit, CHUNK) + 64 * CHUNK;
    for (; bytes >= 2 * CHUNK; bytes = up(bytes / 2, CHUNK)) {
        char *p = mmap(wish, bytes + CHUNK, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            continue;
        a->users = calloc(bytes / CHUNK, sizeof *a->users);
        if (!a->users)
            return -1;
        a->base = (char *)up((size_t)p, CHUNK);
        a->reserved = bytes;
        a->limit = limit;
        wish = a->base + bytes + CHUNK;
        return 0;
    }
    return -1;
}

/* Map chunks from..to-1, or give their memory back to the system. */
static int map(struct softgpu_arena *a, size_t from, size_t to, int on)
{
    char *p = a->base + from * CHUNK;
    const size_t bytes = (to - from) * CHUNK;
    if (from == to)
        return 0;
    if (!on)
        madvise(p, bytes, MADV_DONTNEED);
    if (mprotect(p, bytes, on ? PROT_READ | PROT_WRITE : PROT_NONE))
        return -1;
    if (on)
        madvise(p, bytes, MADV_HUGEPAGE); /* cheap to close and to open */
    return 0;
}

/* Count an allocation in or out on its chunks; map those that change. */
static int use(struct softgpu_arena *a, const char *ptr, size_t span, int on)
{
    const size_t first = (size_t)(ptr - a->base) / CHUNK;
    const size_t end = (size_t)(ptr + span - 1 - a->base) / CHUNK + 1;
    size_t run = first;
    if (end > a->chunks)
        a->chunks = end;
    for (size_t c = first; c < end; c++) {
        const int changes = on ? a->users[c]++ == 0 : --a->users[c] == 0;
        if (changes)
            continue;
        if (map(a, run, c, on))
            return -1;
        run = c + 1;
    }
    return map(a, run, end, on);
}

void softgpu_arena_open(struct softgpu_arena *arena)
{
    if (!arena->closed)
        return;
    for (size_t c = 0; c < arena->chunks; c++) {
        const size_t first = c;
        while (c < arena->chunks && arena->users[c])
            c++;
        if (c > first) /* what is not in use stays closed */
            mprotect(arena->base + first * CHUNK, (c - first) * CHUNK,
                     PROT_READ | PROT_WRITE);
    }
    arena->closed = 0;
}

void softgpu_arena_close(struct softgpu_arena *arena)
{
    if (arena->closed || !arena->chunks)
        return;
    mprotect(arena->base, arena->chunks * CHUNK, PROT_NONE);
    arena->closed = 1;
}

static char *end_of(const struct softgpu_arena *a, size_t i)
{
    return i ? a->table.all[i - 1]->ptr + a->table.all[i - 1]->span : a->base;
}

/* A gap of span bytes before entry from..to-1 of the table, or NULL. */
static char *gap(struct softgpu_arena *a, size_t span, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        char *begin = end_of(a, i);
        const char *limit = i < a->table.count ? a->table.all[i]->ptr
                                               : a->base + a->reserved;
        if ((size_t)(limit - begin) >= span) {
            a->hint = i;
            return begin;
        }
    }
    return NULL;
}

struct softgpu_allocation *softgpu_arena_take(struct softgpu_arena *arena,
                                              size_t bytes, size_t limit)
{
    if (bytes > limit || arena->used > limit - bytes
        || (!arena->base && reserve(arena, limit)))
        return NULL;
    const size_t span = up(bytes, ALIGN) + ALIGN;
    const size_t n = arena->table.count + 1;
    const size_t hint = arena->hint < n ? arena->hint : 0;
    char *ptr = gap(arena, span, hint, n);
    if (!ptr)
        ptr = gap(arena, span, 0, hint);
    struct softgpu_allocation *new = calloc(1, sizeof *new);
    if (!ptr || !new || use(arena, ptr, span, 1)) {
        free(new);
        return NULL;
    }
    *new = (struct softgpu_allocation){.ptr = ptr, .bytes = bytes,
                                       .span = span, .preferred = -2,
                                       .prefetched = -2};
    if (softgpu_table_insert(&arena->table, new)) {
        use(arena, ptr, span, 0);
        free(new);
        return NULL;
    }
    arena->used += bytes;
    memset(ptr + bytes, RED, span - bytes);
    return new;
}

void softgpu_arena_give(struct softgpu_arena *arena,
                        struct softgpu_allocation *allocation)
{
    use(arena, allocation->ptr, allocation->span, 0);
    arena->used -= allocation->bytes;
    const size_t i = softgpu_table_place(&arena->table, allocation->ptr);
    softgpu_table_remove(&arena->table, i);
    if (arena->hint > i)
        arena->hint = i;
    free(allocation);
}

void softgpu_arena_clear(struct softgpu_arena *arena)
{
    while (arena->table.count)
        softgpu_arena_give(arena, arena->table.all[arena->table.count - 1]);
}

int softgpu_arena_owns(const struct softgpu_arena *arena, const void *p)
{
    return arena->base
           && (size_t)((const char *)p - arena->base) < arena->reserved;
}

int softgpu_red_zone_broken(const struct softgpu_allocation *allocation)
{
    for (size_t i = allocation->bytes; i < allocation->span; i++)
        if ((unsigned char)allocation->ptr[i] != RED)
            return 1;
    return 0;
}

size_t softgpu_table_place(const struct softgpu_table *t, const void *p)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (t->all[middle]->ptr < (const char *)p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct softgpu_allocation *softgpu_table_find(const struct softgpu_table *t,
                                              const void *p)
{
    size_t i = softgpu_table_place(t, p);
    if (i == t->count || t->all[i]->ptr != (const char *)p)
        i--; /* wraps around when there is none before */
    if (i >= t->count)
        return NULL;
    struct softgpu_allocation *a = t->all[i];
    return (size_t)((const char *)p - a->ptr) < a->bytes ? a : NULL;
}

int softgpu_table_insert(struct softgpu_table *t,
                         struct softgpu_allocation *allocation)
{
    if (t->count == t->room) {
        const size_t room = t->room ? 2 * t->room : 64;
        void *all = realloc(t->all, room * sizeof(*t->all));
        if (!all)
            return -1;
        t->all = all;
        t->room = room;
    }
    const size_t i = softgpu_table_place(t, allocation->ptr);
    memmove(&t->all[i + 1], &t->all[i], (t->count - i) * sizeof(*t->all));
    t->all[i] = allocation;
    t->count++;
    return 0;
}

void softgpu_table_remove(struct softgpu_table *t, size_t i)
{
    t->count--;
    memmove(&t->all[i], &t->all[i + 1], (t->count - i) * sizeof(*t->all));
}

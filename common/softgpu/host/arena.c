/* SPDX-License-Identifier: MIT */
/** @file
 *  The allocator of a memory arena: first fit from a hint.
 */
#include "arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ipc.h"

#define ALIGN ((size_t)256)     /* of every allocation, as in CUDA */
#define CHUNK SOFTGPU_CHUNK
#define SPARSE ((size_t)4 << 30) /* from here on, a store in each 2 MiB must not
                                    take all of the host's memory */
#define RED_ZONE_BYTE 0xFD      /* the pattern of the red zone */

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Reserve the address range: twice the limit, because of fragmentation; less
 * where the system grants less.  It is in the middle of the address space if
 * that is free: an index that is far out of bounds, of either sign, then still
 * gives an address that faults and is reported. */
static int reserve_addresses(struct softgpu_arena *a, size_t limit)
{
    static char *wish = (char *)((size_t)1 << 45);
    size_t bytes = round_up(2 * limit, CHUNK) + 64 * CHUNK;
    for (; bytes >= 2 * CHUNK; bytes = round_up(bytes / 2, CHUNK)) {
        char *p = mmap(wish, bytes + CHUNK, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            continue;
        a->chunk_users = calloc(bytes / CHUNK, sizeof *a->chunk_users);
        if (!a->chunk_users)
            return -1;
        a->base = (char *)round_up((size_t)p, CHUNK);
        a->reserved = bytes;
        a->limit = limit;
        wish = a->base + bytes + CHUNK;
        return 0;
    }
    return -1;
}

int softgpu_arena_reserve(struct softgpu_arena *arena, size_t limit)
{
    return arena->base ? 0 : reserve_addresses(arena, limit);
}

/* Map chunks from to to - 1, or return their memory to the system. */
static int protect_chunks(struct softgpu_arena *a, size_t from, size_t to,
                          int on)
{
    char *p = a->base + from * CHUNK;
    const size_t bytes = (to - from) * CHUNK;
    if (from == to)
        return 0;
    if (!on) {
        madvise(p, bytes, MADV_DONTNEED);
        softgpu_arena_unshare(a, from, to);
    }
    if (mprotect(p, bytes, on ? PROT_READ | PROT_WRITE : PROT_NONE))
        return -1;
    if (on) /* huge pages make mprotect() cheap */
        madvise(p, bytes, bytes < SPARSE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return 0;
}

/* Add or remove an allocation in the counts of its chunks; map chunks at their
 * first allocation, unmap them after their last. */
int softgpu_arena_count_users(struct softgpu_arena *a, const char *ptr,
                              size_t span, int on)
{
    const size_t first = (size_t)(ptr - a->base) / CHUNK;
    const size_t end = (size_t)(ptr + span - 1 - a->base) / CHUNK + 1;
    size_t run = first;
    if (end > a->chunks)
        a->chunks = end;
    for (size_t c = first; c < end; c++) {
        const int changes =
            on ? a->chunk_users[c]++ == 0 : --a->chunk_users[c] == 0;
        if (changes)
            continue;
        if (protect_chunks(a, run, c, on))
            return -1;
        run = c + 1;
    }
    return protect_chunks(a, run, end, on);
}

void softgpu_arena_unprotect(struct softgpu_arena *arena)
{
    if (!arena->is_protected)
        return;
    for (size_t c = 0; c < arena->chunks; c++) {
        const size_t first = c;
        while (c < arena->chunks && arena->chunk_users[c])
            c++;
        if (c > first) /* unused chunks stay protected */
            mprotect(arena->base + first * CHUNK, (c - first) * CHUNK,
                     PROT_READ | PROT_WRITE);
    }
    arena->is_protected = 0;
}

void softgpu_arena_protect(struct softgpu_arena *arena)
{
    if (arena->is_protected || !arena->chunks)
        return;
    mprotect(arena->base, arena->chunks * CHUNK, PROT_NONE);
    arena->is_protected = 1;
}

static char *end_of_entry(const struct softgpu_arena *a, size_t i)
{
    return i ? a->table.all[i - 1]->ptr + a->table.all[i - 1]->span : a->base;
}

/* A gap of span bytes before one of the entries from to to - 1, or NULL. */
static char *find_gap(struct softgpu_arena *a, size_t span, size_t from,
                      size_t to)
{
    for (size_t i = from; i < to; i++) {
        char *begin = end_of_entry(a, i);
        const char *limit =
            i < a->table.count ? a->table.all[i]->ptr - a->table.all[i]->lead
                               : a->base + a->reserved;
        if ((size_t)(limit - begin) >= span) {
            a->gap_hint = i;
            return begin;
        }
    }
    return NULL;
}

char *softgpu_arena_gap(struct softgpu_arena *arena, size_t span)
{
    const size_t n = arena->table.count + 1;
    const size_t gap_hint = arena->gap_hint < n ? arena->gap_hint : 0;
    char *ptr = find_gap(arena, span, gap_hint, n);
    return ptr ? ptr : find_gap(arena, span, 0, gap_hint);
}

struct softgpu_allocation *softgpu_arena_alloc(struct softgpu_arena *arena,
                                               size_t bytes, size_t limit)
{
    if (bytes > limit || arena->used > limit - bytes
        || softgpu_arena_reserve(arena, limit))
        return NULL;
    const size_t span = round_up(bytes, ALIGN) + ALIGN;
    char *ptr = softgpu_arena_gap(arena, span);
    struct softgpu_allocation *new = calloc(1, sizeof *new);
    if (!ptr || !new || softgpu_arena_count_users(arena, ptr, span, 1)) {
        free(new);
        return NULL;
    }
    *new = (struct softgpu_allocation){.ptr = ptr, .bytes = bytes,
                                       .span = span, .preferred = -2,
                                       .prefetched = -2};
    if (softgpu_table_insert(&arena->table, new)) {
        softgpu_arena_count_users(arena, ptr, span, 0);
        free(new);
        return NULL;
    }
    arena->used += bytes;
    memset(ptr + bytes, RED_ZONE_BYTE, span - bytes);
    return new;
}

void softgpu_arena_free(struct softgpu_arena *arena,
                        struct softgpu_allocation *allocation)
{
    softgpu_arena_count_users(arena, allocation->ptr - allocation->lead,
                              allocation->span + allocation->lead, 0);
    if (!allocation->imported)
        arena->used -= allocation->bytes;
    free(allocation->imported);
    softgpu_ipc_on_free(allocation);
    const size_t i = softgpu_table_lower_bound(&arena->table, allocation->ptr);
    softgpu_table_remove(&arena->table, i);
    if (arena->gap_hint > i)
        arena->gap_hint = i;
    free(allocation);
}

void softgpu_arena_clear(struct softgpu_arena *arena)
{
    while (arena->table.count)
        softgpu_arena_free(arena, arena->table.all[arena->table.count - 1]);
}

int softgpu_arena_contains(const struct softgpu_arena *arena, const void *p)
{
    return arena->base
           && (size_t)((const char *)p - arena->base) < arena->reserved;
}

int softgpu_red_zone_is_overwritten(const struct softgpu_allocation *allocation)
{
    if (allocation->imported) /* what follows is the other process's */
        return 0;
    for (size_t i = allocation->bytes; i < allocation->span; i++)
        if ((unsigned char)allocation->ptr[i] != RED_ZONE_BYTE)
            return 1;
    return 0;
}

size_t softgpu_table_lower_bound(const struct softgpu_table *t, const void *p)
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
    size_t i = softgpu_table_lower_bound(t, p);
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
    if (t->count == t->capacity) {
        const size_t capacity = t->capacity ? 2 * t->capacity : 64;
        void *all = realloc(t->all, capacity * sizeof(*t->all));
        if (!all)
            return -1;
        t->all = all;
        t->capacity = capacity;
    }
    const size_t i = softgpu_table_lower_bound(t, allocation->ptr);
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

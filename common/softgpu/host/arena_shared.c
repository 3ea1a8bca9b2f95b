/* SPDX-License-Identifier: MIT */
/** @file
 *  Chunks of an arena that several processes map: those of a file in memory
 *  (memfd), which is gone when no process has it, however they end.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arena.h"
#include "ipc.h"

#define CHUNK SOFTGPU_CHUNK
#define PIECE ((size_t)64 << 10) /* zeros of this size are not copied */

/* The file of an arena's exported chunks, with a hole for each other one. */
static int file_of(struct softgpu_arena *a)
{
    if (!a->chunk_is_shared)
        a->chunk_is_shared = calloc(a->reserved / CHUNK, 1);
    if (!a->chunk_is_shared)
        return -1;
    if (a->file)
        return a->file;
    const int file = softgpu_ipc_file("softgpu-device-memory", a->reserved);
    if (file > 0)
        a->file = file;
    return file;
}

/* Write a chunk to the file, but for what is zero. */
static int write_chunk(int file, const char *from, size_t offset)
{
    static const char zeros[PIECE];
    for (size_t at = 0; at < CHUNK; at += PIECE)
        if (memcmp(from + at, zeros, PIECE) != 0
            && pwrite(file, from + at, PIECE, (off_t)(offset + at))
                   != (ssize_t)PIECE)
            return -1;
    return 0;
}

int softgpu_arena_share(struct softgpu_arena *arena,
                        const struct softgpu_allocation *allocation)
{
    const size_t first = (size_t)(allocation->ptr - arena->base) / CHUNK;
    const size_t last =
        (size_t)(allocation->ptr + allocation->span - 1 - arena->base) / CHUNK;
    const int file = file_of(arena);
    if (file < 0)
        return -1;
    softgpu_arena_unprotect(arena);
    for (size_t c = first; c <= last; c++) {
        char *p = arena->base + c * CHUNK;
        if (arena->chunk_is_shared[c])
            continue;
        if (write_chunk(file, p, c * CHUNK)
            || mmap(p, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                    file, (off_t)(c * CHUNK)) == MAP_FAILED)
            return -1;
        arena->chunk_is_shared[c] = 1;
    }
    return 0;
}

/* Zero pages again, which no other process sees.  The bytes in the file are
 * given back; a process that still maps them sees zeros. */
void softgpu_arena_unshare(struct softgpu_arena *a, size_t from, size_t to)
{
    for (size_t c = from; a->chunk_is_shared && c < to; c++) {
        if (!a->chunk_is_shared[c])
            continue;
        if (a->file && a->chunk_is_shared[c] == 1)
            fallocate(a->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      (off_t)(c * CHUNK), (off_t)CHUNK);
        mmap(a->base + c * CHUNK, CHUNK, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        a->chunk_is_shared[c] = 0;
    }
}

/* Map chunks of a file over unused ones of the arena. */
static int map_chunks(struct softgpu_arena *a, char *to, size_t bytes, int file,
                      size_t offset)
{
    if (softgpu_arena_count_users(a, to, bytes, 1))
        return -1;
    if (mmap(to, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
             (off_t)offset) == MAP_FAILED) {
        softgpu_arena_count_users(a, to, bytes, 0);
        return -1;
    }
    memset(a->chunk_is_shared + (to - a->base) / (ptrdiff_t)CHUNK, 2,
           bytes / CHUNK);
    return 0;
}

struct softgpu_allocation *softgpu_arena_map(struct softgpu_arena *arena,
                                             int file, size_t offset,
                                             size_t bytes, size_t limit)
{
    const size_t lead = offset % CHUNK;
    const size_t whole = (lead + bytes + CHUNK - 1) / CHUNK * CHUNK;
    if (softgpu_arena_reserve(arena, limit))
        return NULL;
    if (!arena->chunk_is_shared)
        arena->chunk_is_shared = calloc(arena->reserved / CHUNK, 1);
    struct softgpu_allocation *new = calloc(1, sizeof *new);
    char *to = softgpu_arena_gap(arena, whole + CHUNK);
    if (!arena->chunk_is_shared || !new || !to) {
        free(new);
        return NULL;
    }
    to += (CHUNK - (size_t)(to - arena->base) % CHUNK) % CHUNK;
    *new = (struct softgpu_allocation){
        .ptr = to + lead, .bytes = bytes, .lead = lead, .span = whole - lead,
        .preferred = -2, .prefetched = -2};
    if (map_chunks(arena, to, whole, file, offset - lead)) {
        free(new);
        return NULL;
    }
    if (softgpu_table_insert(&arena->table, new)) {
        softgpu_arena_count_users(arena, to, whole, 0);
        free(new);
        return NULL;
    }
    return new;
}

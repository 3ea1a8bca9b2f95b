/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared memory between guard pages.  The system limits the number of
 *  mappings, so most blocks of a large cooperative launch have no guards.
 */
#define _GNU_SOURCE
#include "shared_memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include "block.h"

enum {
    ALIGN = 1024,            /* of the shared memory's start */
    MAPPING_ALIGN = 1 << 16, /* of the size of a mapping */
    GUARD_BYTES = 1 << 20,   /* on either side */
    GUARDED_MAX = 1024       /* mappings that have guards */
};

static atomic_uint mapping_count;

/* To a multiple of `to`. */
static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Map that many bytes, with a guard on either side. */
static bool map_with_guards(struct softgpu_block *b, size_t bytes)
{
    const size_t guard =
        atomic_fetch_add(&mapping_count, 1) < GUARDED_MAX ? GUARD_BYTES : 0;
    char *const at = mmap(NULL, bytes + 2 * guard, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return false;
    if (guard) {
        mprotect(at, guard, PROT_NONE);
        mprotect(at + guard + bytes, guard, PROT_NONE);
    }
    b->mapping = at + guard;
    b->mapping_bytes = bytes;
    b->guard_bytes = guard;
    return true;
}

bool softgpu_map_shared_memory(struct softgpu_block *b, size_t bytes)
{
    bytes = round_up(bytes, ALIGN);
    if (bytes > b->mapping_bytes) {
        if (b->mapping_bytes)
            munmap(b->mapping - b->guard_bytes,
                   b->mapping_bytes + 2 * b->guard_bytes);
        b->mapping_bytes = 0;
        if (!map_with_guards(b, round_up(bytes, MAPPING_ALIGN)))
            return false;
    }
    b->arena = b->mapping + b->mapping_bytes - bytes;
    return true;
}

long softgpu_shared_out_of_bounds(const struct softgpu_block *b,
                                  const void *address)
{
    const uintptr_t at = (uintptr_t)address, begin = (uintptr_t)b->arena;
    const uintptr_t end = begin + b->worker->run->shared_bytes;
    const uintptr_t mapping = (uintptr_t)b->mapping, guard = b->guard_bytes;

    if (at >= end && at < mapping + b->mapping_bytes + guard)
        return (long)(at - end) + 1;
    if (at < begin && at >= mapping - guard)
        return -(long)(begin - at);
    return 0;
}

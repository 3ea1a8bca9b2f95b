/* SPDX-License-Identifier: MIT */
/* Shared memory between fences.  The kernel counts mappings, so most blocks of
 * a large cooperative launch do without. */
#define _GNU_SOURCE
#include "fence.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include "block.h"

enum { ALIGN = 1024, ROOM = 1 << 16, FENCE = 1 << 20, FENCED = 1024 };

static atomic_uint given; /* rooms that were mapped */

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Room for that much, and a fence on either side. */
static bool map(struct softgpu_block *b, size_t bytes)
{
    const size_t fence = atomic_fetch_add(&given, 1) < FENCED ? FENCE : 0;
    char *const at = mmap(NULL, bytes + 2 * fence, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return false;
    if (fence) {
        mprotect(at, fence, PROT_NONE);
        mprotect(at + fence + bytes, fence, PROT_NONE);
    }
    b->room = at + fence;
    b->room_bytes = bytes;
    b->fence_bytes = fence;
    return true;
}

bool softgpu_shared_give(struct softgpu_block *b, size_t bytes)
{
    bytes = round_up(bytes, ALIGN);
    if (bytes > b->room_bytes) {
        if (b->room_bytes)
            munmap(b->room - b->fence_bytes,
                   b->room_bytes + 2 * b->fence_bytes);
        b->room_bytes = 0;
        if (!map(b, round_up(bytes, ROOM)))
            return false;
    }
    b->arena = b->room + b->room_bytes - bytes;
    return true;
}

long softgpu_shared_beside(const struct softgpu_block *b, const void *address)
{
    const uintptr_t at = (uintptr_t)address, begin = (uintptr_t)b->arena;
    const uintptr_t end = begin + b->worker->run->shared_bytes;
    const uintptr_t room = (uintptr_t)b->room, fence = b->fence_bytes;

    if (at >= end && at < room + b->room_bytes + fence)
        return (long)(at - end) + 1;
    if (at < begin && at >= room - fence)
        return -(long)(begin - at);
    return 0;
}

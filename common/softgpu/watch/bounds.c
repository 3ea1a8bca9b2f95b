/* SPDX-License-Identifier: MIT */
/* Watcher: does the address belong to something, and is it aligned? */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../core/fence.h"
#include "../host/memory.h"
#include "symbol.h"
#include "watchers.h"

/* How far an address lies from an allocation, in words. */
static void say_distance(char *text, size_t room, const struct access *a,
                         const struct watched *w)
{
    size_t bytes = w->end - w->base;

    if (a->address >= w->end)
        snprintf(text, room, "%zu bytes past the end of %zu bytes",
                 (size_t)(a->address - w->end), bytes);
    else if (a->address < w->base)
        snprintf(text, room, "%zu bytes before the begin of %zu bytes",
                 (size_t)(w->base - a->address), bytes);
    else
        snprintf(text, room, "crosses the end of %zu bytes", bytes);
}

static void find_freed(const struct access *a, const struct watched *w)
{
    struct softgpu_sighting seen =
        watch_sighting(a, SOFTGPU_FIND_USE_AFTER_FREE);

    seen.other = w->freed_at;
    softgpu_find(&seen, "%s in memory that was freed", watch_words(a));
}

static void find_outside(const struct access *a, const struct watched *near)
{
    struct softgpu_sighting seen =
        watch_sighting(a, SOFTGPU_FIND_OUT_OF_BOUNDS);
    char distance[96];

    say_distance(distance, sizeof distance, a, near);
    seen.other = near->allocated_at;
    softgpu_find(&seen, "%s, %s allocated", watch_words(a), distance);
}

/* Past the end of a block's shared memory, or before its begin. */
static int is_beside_shared(const struct access *a)
{
    const long off =
        softgpu_shared_beside(a->block->block, (const void *)a->address);
    struct softgpu_sighting seen;

    if (!off)
        return 0;
    seen = watch_sighting(a, SOFTGPU_FIND_OUT_OF_BOUNDS);
    softgpu_find(&seen, "%s %s the block's shared memory", watch_words(a),
                 off > 0 ? "past the end of" : "before the begin of");
    return 1;
}

/* An index that ran far away, or a pointer never set: nothing is there. */
static int is_unmapped(uintptr_t address)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;

    return mincore((void *)(address / page * page), 1, &resident) != 0
           && errno == ENOMEM;
}

/* No allocation holds the address. */
static int find_nothing(const struct access *a)
{
    if (is_beside_shared(a))
        return 1;

    struct watched *freed = watch_find(a->address, 1);
    struct watched *near = freed ? NULL : watch_nearest(a->address);
    struct softgpu_sighting seen;

    if (softgpu_find_allocation((const void *)a->address))
        return 1; /* the host's own, made known by cudaHostRegister */
    if (freed) {
        find_freed(a, freed);
    } else if (near) {
        find_outside(a, near);
    } else if (a->address < 65536) {
        seen = watch_sighting(a, SOFTGPU_FIND_NULL_POINTER);
        softgpu_find(&seen, "%s at address %#zx", watch_words(a),
                     (size_t)a->address);
    } else if (watch_is_device_address(a->address)
               || is_unmapped(a->address)) {
        seen = watch_sighting(a, SOFTGPU_FIND_OUT_OF_BOUNDS);
        softgpu_find(&seen, "%s far from any allocation", watch_words(a));
    } else {
        seen = watch_sighting(a, SOFTGPU_FIND_HOST_POINTER);
        softgpu_find(&seen, "%s through a pointer to host memory",
                     watch_words(a));
    }
    return 1;
}

static int find_misaligned(const struct access *a)
{
    struct softgpu_sighting seen = watch_sighting(a, SOFTGPU_FIND_MISALIGNED);

    softgpu_find(&seen, "%s at an address that is %u past a multiple of %u",
                 watch_words(a), (unsigned)(a->address % a->bytes), a->bytes);
    return 1;
}

/* Shared memory is laid out static, dynamic, functions'; the gaps between, and
 * what no launch asked for, belong to nobody. */
static int find_shared(const struct access *a)
{
    const struct run *run = a->block->block->worker->run;
    const uint32_t at = (uint32_t)(a->address - (uintptr_t)softgpu_tls.shared);
    const uint32_t end = at + a->bytes;
    const uint32_t fixed = run->grid->kernel->static_shared;
    const uint32_t dynamic = run->grid->dynamic_bytes;
    struct softgpu_sighting seen;

    if (end <= fixed
        || (at >= run->dynamic_at && end - run->dynamic_at <= dynamic)
        || at >= run->functions_at)
        return 0;
    seen = watch_sighting(a, SOFTGPU_FIND_OUT_OF_BOUNDS);
    softgpu_find(&seen, "%s outside the %s bytes of shared memory: %u of %u",
                 watch_words(a), at < run->dynamic_at ? "declared" : "dynamic",
                 at < run->dynamic_at ? at : at - run->dynamic_at,
                 at < run->dynamic_at ? fixed : dynamic);
    return 1;
}

int watch_bounds(const struct access *a)
{
    if (a->region == REGION_LOCAL)
        return 1; /* private: nothing more to ask */
    if (a->region == REGION_SYMBOL)
        return symbol_judge(a), 1;
    if (a->region == REGION_NONE)
        return find_nothing(a);
    if (a->region == REGION_SHARED && find_shared(a))
        return 1;
    if (a->memory && a->address + a->bytes > a->memory->end) {
        find_outside(a, a->memory);
        return 1;
    }
    if (!(a->flags & ACCESS_RANGE) && a->address % a->bytes)
        return find_misaligned(a);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Device, pinned and managed memory, and lookup of addresses.
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "call.h"
#include "graph_memory.h"
#include "host_access.h"
#include "illegal_address.h"
#include "pool.h"
#include "remote.h"
#include "stream.h"

#define POISON 0xCB

static struct softgpu_arena pinned, managed;
static struct softgpu_table registered_ranges; /* and device variables */

/* Bytes allocated in all arenas. */
static size_t total_used(void)
{
    size_t used = pinned.used + managed.used;
    for (int i = 0; i < softgpu_device_count(); i++)
        used += softgpu_device_at(i)->arena.used;
    return used;
}

static struct softgpu_allocation *alloc_in_arena(struct softgpu_arena *arena,
                                                 size_t bytes, size_t limit)
{
    if (bytes > softgpu_usable_host_memory()
        || total_used() > softgpu_usable_host_memory() - bytes)
        return NULL;
    softgpu_memory_unprotect();
    return softgpu_arena_alloc(arena, bytes, limit);
}

struct softgpu_arena *softgpu_pinned_arena(void)
{
    return &pinned;
}

struct softgpu_arena *softgpu_managed_arena(void)
{
    return &managed;
}

const struct softgpu_table *softgpu_registered_ranges(void)
{
    return &registered_ranges;
}

size_t softgpu_device_limit(void)
{
    const uint64_t card = softgpu_card()->memory_bytes;
    return card < softgpu_usable_host_memory() ? (size_t)card
                                               : softgpu_usable_host_memory();
}

size_t softgpu_free_bytes(const struct softgpu_device *device)
{
    const size_t host = softgpu_usable_host_memory() > total_used()
                            ? softgpu_usable_host_memory() - total_used()
                            : 0;
    const size_t left = softgpu_device_limit() - device->arena.used;
    return left < host ? left : host;
}

static void poison(struct softgpu_allocation *a)
{
    if (softgpu_is_poisoning())
        memset(a->ptr, POISON, a->bytes);
}

cudaError_t softgpu_alloc_device_memory(struct softgpu_device *device,
                                        size_t bytes,
                                        struct softgpu_allocation **allocation)
{
    *allocation = alloc_in_arena(&device->arena, bytes,
                                 softgpu_device_limit());
    if (!*allocation) { /* a queued cudaFreeAsync() may free some */
        softgpu_wait_device(device);
        *allocation = alloc_in_arena(&device->arena, bytes,
                                     softgpu_device_limit());
    }
    if (!*allocation)
        return cudaErrorMemoryAllocation;
    (*allocation)->kind = SOFTGPU_DEVICE_MEMORY;
    (*allocation)->device = device->index;
    poison(*allocation);
    SOFTGPU_HOOK(memory, (*allocation, 1));
    return cudaSuccess;
}

/* Report a write past the end of an allocation: a bug that CUDA hides. */
static void check_red_zone(const struct softgpu_allocation *a)
{
    if (softgpu_red_zone_is_overwritten(a))
        fprintf(stderr,
                "softgpu: something wrote past the end of an allocation of "
                "%zu bytes: check the bounds guard of the kernels using it\n",
                a->bytes);
}

static struct softgpu_arena *arena_of_allocation(
    const struct softgpu_allocation *a)
{
    if (a->kind == SOFTGPU_PINNED)
        return &pinned;
    return a->kind == SOFTGPU_MANAGED ? &managed
                                      : &softgpu_device_at(a->device)->arena;
}

void softgpu_free_allocation(struct softgpu_allocation *allocation)
{
    softgpu_memory_unprotect();
    check_red_zone(allocation);
    SOFTGPU_HOOK(memory, (allocation, 0));
    softgpu_pool_on_free(allocation);
    softgpu_note_freed(allocation);
    softgpu_arena_free(arena_of_allocation(allocation), allocation);
}

/* Free a device's allocations in an arena that all devices share. */
static void free_device_part(struct softgpu_arena *arena, int device)
{
    for (size_t i = arena->table.count; i-- > 0;)
        if (arena->table.all[i]->device == device) {
            SOFTGPU_HOOK(memory, (arena->table.all[i], 0));
            softgpu_arena_free(arena, arena->table.all[i]);
        }
}

void softgpu_reset_memory(struct softgpu_device *device)
{
    softgpu_memory_unprotect();
    for (size_t i = 0; i < device->arena.table.count; i++)
        SOFTGPU_HOOK(memory, (device->arena.table.all[i], 0));
    softgpu_arrays_reset(device);
    softgpu_arena_clear(&device->arena);
    free_device_part(&pinned, device->index);
    free_device_part(&managed, device->index);
    for (size_t i = registered_ranges.count; i-- > 0;) {
        struct softgpu_allocation *a = registered_ranges.all[i];
        if (a->kind == SOFTGPU_REGISTERED && a->device == device->index) {
            softgpu_table_remove(&registered_ranges, i);
            free(a);
        }
    }
}

/* The arena whose range contains an address, or NULL. */
static const struct softgpu_arena *arena_of(const void *p)
{
    if (softgpu_arena_contains(&pinned, p))
        return &pinned;
    if (softgpu_arena_contains(&managed, p))
        return &managed;
    for (int i = 0; i < softgpu_device_count(); i++)
        if (softgpu_arena_contains(&softgpu_device_at(i)->arena, p))
            return &softgpu_device_at(i)->arena;
    return NULL;
}

struct softgpu_allocation *softgpu_find_allocation(const void *p)
{
    const struct softgpu_arena *arena = arena_of(p);
    return softgpu_table_find(arena ? &arena->table : &registered_ranges, p);
}

int softgpu_in_arena(const void *p)
{
    return arena_of(p) != NULL;
}

/* Bytes of this memory of the host that are registered. */
static size_t registered_bytes(const char *p, size_t bytes)
{
    size_t sum = 0;
    for (size_t i = 0; i < registered_ranges.count; i++) {
        const struct softgpu_allocation *a = registered_ranges.all[i];
        const uintptr_t from = (uintptr_t)(a->ptr > p ? a->ptr : p);
        const uintptr_t end = (uintptr_t)a->ptr + a->bytes;
        const uintptr_t last = (uintptr_t)p + bytes;
        if (a->kind == SOFTGPU_REGISTERED && from < end && from < last)
            sum += (end < last ? end : last) - from;
    }
    return sum;
}

enum softgpu_memory_type softgpu_memory_type(const void *p, size_t bytes)
{
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    if (!p || (!a && arena_of(p)))
        return SOFTGPU_INVALID_RANGE;
    if (!a || a->kind == SOFTGPU_REGISTERED) { /* as a whole, or not at all */
        const size_t registered = registered_bytes(p, bytes);
        return registered == 0       ? SOFTGPU_PAGEABLE
               : registered == bytes ? SOFTGPU_PAGE_LOCKED
                                     : SOFTGPU_INVALID_RANGE;
    }
    if (bytes > a->bytes - (size_t)((const char *)p - a->ptr))
        return SOFTGPU_INVALID_RANGE;
    switch (a->kind) {
    case SOFTGPU_MANAGED:
        return SOFTGPU_UNIFIED;
    case SOFTGPU_PINNED:
        return SOFTGPU_PAGE_LOCKED;
    default:
        return SOFTGPU_DEVICE_ONLY;
    }
}

struct softgpu_allocation *softgpu_find_freeable(const void *p,
                                                 enum softgpu_kind one,
                                                 enum softgpu_kind other)
{
    struct softgpu_allocation *a = softgpu_find_allocation(p);
    return a && a->ptr == p && !a->freeing && !a->imported
                   && (a->span || a->kind == SOFTGPU_REGISTERED)
                   && (a->kind == one || a->kind == other)
               ? a
               : NULL;
}

static cudaError_t malloc_device(void **ptr, size_t bytes)
{
    struct softgpu_allocation *a;
    if (!ptr)
        return cudaErrorInvalidValue;
    *ptr = NULL;
    if (bytes == 0)
        return cudaSuccess;
    const cudaError_t error =
        softgpu_alloc_device_memory(softgpu_device(), bytes, &a);
    if (!error)
        *ptr = a->ptr;
    return error;
}

cudaError_t cudaMalloc(void **ptr, size_t bytes)
{
    SOFTGPU_CALL(malloc_device(ptr, bytes));
}

/* Wait for all commands, then free p, which must be of one of two kinds. */
static cudaError_t free_memory(void *p, enum softgpu_kind one,
                               enum softgpu_kind other)
{
    if (!p)
        return cudaSuccess;
    struct softgpu_allocation *a = softgpu_find_freeable(p, one, other);
    if (!a) {
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_FREE, p));
        return cudaErrorInvalidValue;
    }
    const cudaError_t error = softgpu_wait_device(NULL);
    a = softgpu_find_freeable(p, one,
                              other); /* another thread may have freed it */
    if (a && a->graph_memory)
        return softgpu_graph_memory_free(a->graph_memory);
    if (a)
        softgpu_free_allocation(a);
    return error ? error : a ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaFree(void *ptr)
{
    softgpu_note_refused_free(ptr);
    SOFTGPU_CALL(free_memory(ptr, SOFTGPU_DEVICE_MEMORY, SOFTGPU_MANAGED));
}

/* Allocate in one of the two arenas that all devices share. */
static cudaError_t malloc_shared_arena(void **ptr, size_t bytes,
                                       enum softgpu_kind kind, unsigned flags)
{
    if (!ptr)
        return cudaErrorInvalidValue;
    *ptr = NULL;
    if (bytes == 0)
        return kind == SOFTGPU_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    struct softgpu_allocation *a =
        alloc_in_arena(kind == SOFTGPU_PINNED ? &pinned : &managed, bytes,
                       softgpu_usable_host_memory());
    if (!a)
        return cudaErrorMemoryAllocation;
    a->kind = kind;
    a->device = softgpu_device()->index;
    a->flags = flags;
    if (kind == SOFTGPU_MANAGED)
        poison(a);
    softgpu_remote_new(a);
    SOFTGPU_HOOK(memory, (a, 1));
    *ptr = a->ptr;
    return cudaSuccess;
}

static cudaError_t host_alloc(void **ptr, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped
                           | cudaHostAllocWriteCombined;
    return flags & ~known
               ? cudaErrorInvalidValue
               : malloc_shared_arena(ptr, bytes, SOFTGPU_PINNED, flags);
}

cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags)
{
    SOFTGPU_CALL(host_alloc(ptr, bytes, flags));
}

cudaError_t cudaMallocHost(void **ptr, size_t bytes)
{
    return cudaHostAlloc(ptr, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *ptr)
{
    softgpu_note_refused_free(ptr);
    SOFTGPU_CALL(free_memory(ptr, SOFTGPU_PINNED, SOFTGPU_PINNED));
}

cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags)
{
    SOFTGPU_CALL(flags != cudaMemAttachGlobal && flags != cudaMemAttachHost
                     ? cudaErrorInvalidValue
                     : malloc_shared_arena(ptr, bytes, SOFTGPU_MANAGED, flags));
}

cudaError_t softgpu_register_range(const void *ptr, size_t bytes,
                                   enum softgpu_kind kind, unsigned flags)
{
    struct softgpu_allocation *a = calloc(1, sizeof *a);
    if (!a)
        return cudaErrorMemoryAllocation;
    *a = (struct softgpu_allocation){
        .ptr = (char *)(uintptr_t)ptr, .bytes = bytes, .kind = kind,
        .device = softgpu_device()->index, .flags = flags, .preferred = -2,
        .prefetched = -2};
    if (!softgpu_table_insert(&registered_ranges, a))
        return cudaSuccess;
    free(a);
    return cudaErrorMemoryAllocation;
}

/* 1 if a byte of the range is in an arena or registered. */
static int overlaps_known_range(const char *p, size_t bytes)
{
    if (softgpu_find_allocation(p) || softgpu_find_allocation(p + bytes - 1))
        return 1;
    const size_t i = softgpu_table_lower_bound(&registered_ranges, p);
    return i < registered_ranges.count
           && registered_ranges.all[i]->ptr < p + bytes;
}

static cudaError_t host_register(void *ptr, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped
                           | cudaHostRegisterReadOnly;
    if (!ptr || !bytes || flags & ~(known | cudaHostRegisterIoMemory))
        return cudaErrorInvalidValue;
    if (flags & cudaHostRegisterIoMemory)
        return cudaErrorNotSupported;
    if (!softgpu_ends_in_host_memory(ptr, bytes))
        return cudaErrorInvalidValue;
    if (overlaps_known_range(ptr, bytes))
        return cudaErrorHostMemoryAlreadyRegistered;
    return softgpu_register_range(ptr, bytes, SOFTGPU_REGISTERED, flags);
}

cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags)
{
    SOFTGPU_CALL(host_register(ptr, bytes, flags));
}

static cudaError_t host_unregister(void *ptr)
{
    if (!ptr)
        return cudaErrorInvalidValue;
    const cudaError_t error = softgpu_wait_device(NULL);
    struct softgpu_allocation *a =
        softgpu_find_freeable(ptr, SOFTGPU_REGISTERED, SOFTGPU_REGISTERED);
    if (!a)
        return cudaErrorHostMemoryNotRegistered;
    softgpu_table_remove(&registered_ranges,
                         softgpu_table_lower_bound(&registered_ranges, ptr));
    free(a);
    return error;
}

cudaError_t cudaHostUnregister(void *ptr)
{
    SOFTGPU_CALL(host_unregister(ptr));
}

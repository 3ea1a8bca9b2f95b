/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory of the three kinds, and what is known of addresses.
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "pool.h"
#include "reserved.h"
#include "stream.h"

#define POISON 0xCB
#define MOST_CLOSED ((size_t)64 << 20) /* closing takes up to 25 ns a page */

static struct softgpu_arena pinned, managed;
static struct softgpu_table outside; /* registered memory and symbols */

/* Bytes this machine could give at the start, less a part for the program.
 * Control groups may allow less than the machine has. */
static size_t host_limit(void)
{
    static size_t limit;
    if (limit)
        return limit;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned long long group = 0;
    limit = (size_t)sysconf(_SC_AVPHYS_PAGES) * page;
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kb;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kb) == 1)
            limit = (size_t)kb * 1024;
    if (file)
        fclose(file);
    file = fopen("/sys/fs/cgroup/memory.max", "r");
    if (file && fscanf(file, "%llu", &group) == 1 && group < limit)
        limit = group;
    if (file)
        fclose(file);
    limit = limit / 16 * 15;
    return limit;
}

/* Bytes in use by all arenas. */
static size_t all_used(void)
{
    size_t used = pinned.used + managed.used;
    for (int i = 0; i < softgpu_device_count(); i++)
        used += softgpu_device_at(i)->arena.used;
    return used;
}

void softgpu_memory_open(void)
{
    for (int i = 0; i < softgpu_device_count(); i++)
        softgpu_arena_open(&softgpu_device_at(i)->arena);
}

void softgpu_memory_close(void)
{
    if (!softgpu_running())
        softgpu_memory_shut();
}

void softgpu_memory_shut(void)
{
    for (int i = 0; i < softgpu_device_count(); i++)
        if (softgpu_device_at(i)->arena.used <= MOST_CLOSED)
            softgpu_arena_close(&softgpu_device_at(i)->arena);
}

static struct softgpu_allocation *take(struct softgpu_arena *arena,
                                       size_t bytes, size_t limit)
{
    if (bytes > host_limit() || all_used() > host_limit() - bytes)
        return NULL;
    softgpu_memory_open();
    return softgpu_arena_take(arena, bytes, limit);
}

static size_t device_limit(void)
{
    const uint64_t card = softgpu_card()->memory_bytes;
    return card < host_limit() ? (size_t)card : host_limit();
}

size_t softgpu_free_bytes(const struct softgpu_device *device)
{
    const size_t host = host_limit() > all_used() ? host_limit() - all_used()
                                                  : 0;
    const size_t left = device_limit() - device->arena.used;
    return left < host ? left : host;
}

static void poison(struct softgpu_allocation *a)
{
    if (softgpu_poison())
        memset(a->ptr, POISON, a->bytes);
}

cudaError_t softgpu_take_device(struct softgpu_device *device, size_t bytes,
                                struct softgpu_allocation **allocation)
{
    *allocation = take(&device->arena, bytes, device_limit());
    if (!*allocation) { /* what cudaFreeAsync queued may make room */
        softgpu_wait_device(device);
        *allocation = take(&device->arena, bytes, device_limit());
    }
    if (!*allocation)
        return cudaErrorMemoryAllocation;
    (*allocation)->kind = SOFTGPU_DEVICE_MEMORY;
    (*allocation)->device = device->index;
    poison(*allocation);
    SOFTGPU_HOOK(memory, (*allocation, 1));
    return cudaSuccess;
}

/* Tell of a write behind an allocation: the program has a bug CUDA hides. */
static void check_red_zone(const struct softgpu_allocation *a)
{
    if (softgpu_red_zone_broken(a))
        fprintf(stderr,
                "softgpu: something wrote past the end of an allocation of "
                "%zu bytes: check the bounds guard of the kernels using it\n",
                a->bytes);
}

static struct softgpu_arena *home(const struct softgpu_allocation *a)
{
    if (a->kind == SOFTGPU_PINNED)
        return &pinned;
    return a->kind == SOFTGPU_MANAGED ? &managed
                                      : &softgpu_device_at(a->device)->arena;
}

void softgpu_give(struct softgpu_allocation *allocation)
{
    softgpu_memory_open();
    check_red_zone(allocation);
    SOFTGPU_HOOK(memory, (allocation, 0));
    softgpu_pool_gave_back(allocation);
    softgpu_arena_give(home(allocation), allocation);
}

/* Give back what this device's program part took from a shared arena. */
static void forget_part(struct softgpu_arena *arena, int device)
{
    for (size_t i = arena->table.count; i-- > 0;)
        if (arena->table.all[i]->device == device) {
            SOFTGPU_HOOK(memory, (arena->table.all[i], 0));
            softgpu_arena_give(arena, arena->table.all[i]);
        }
}

void softgpu_forget_memory(struct softgpu_device *device)
{
    softgpu_memory_open();
    for (size_t i = 0; i < device->arena.table.count; i++)
        SOFTGPU_HOOK(memory, (device->arena.table.all[i], 0));
    softgpu_arena_clear(&device->arena);
    forget_part(&pinned, device->index);
    forget_part(&managed, device->index);
    for (size_t i = outside.count; i-- > 0;) {
        struct softgpu_allocation *a = outside.all[i];
        if (a->kind == SOFTGPU_REGISTERED && a->device == device->index) {
            softgpu_table_remove(&outside, i);
            free(a);
        }
    }
}

/* The arena an address lies in, or NULL. */
static const struct softgpu_arena *arena_of(const void *p)
{
    if (softgpu_arena_owns(&pinned, p))
        return &pinned;
    if (softgpu_arena_owns(&managed, p))
        return &managed;
    for (int i = 0; i < softgpu_device_count(); i++)
        if (softgpu_arena_owns(&softgpu_device_at(i)->arena, p))
            return &softgpu_device_at(i)->arena;
    return NULL;
}

struct softgpu_allocation *softgpu_find_allocation(const void *p)
{
    const struct softgpu_arena *arena = arena_of(p);
    return softgpu_table_find(arena ? &arena->table : &outside, p);
}

int softgpu_in_arena(const void *p)
{
    return arena_of(p) != NULL;
}

enum softgpu_side softgpu_side(const void *p, size_t bytes)
{
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    if (!p || (!a && arena_of(p)))
        return SOFTGPU_NOWHERE;
    if (!a)
        return SOFTGPU_PLAIN;
    if (bytes > a->bytes - (size_t)((const char *)p - a->ptr))
        return a->kind == SOFTGPU_REGISTERED ? SOFTGPU_PLAIN : SOFTGPU_NOWHERE;
    switch (a->kind) {
    case SOFTGPU_MANAGED:
        return SOFTGPU_BOTH_SIDES;
    case SOFTGPU_PINNED:
    case SOFTGPU_REGISTERED:
        return SOFTGPU_HOST_SIDE;
    default:
        return SOFTGPU_DEVICE_SIDE;
    }
}

struct softgpu_allocation *softgpu_to_free(const void *p,
                                           enum softgpu_kind one,
                                           enum softgpu_kind other)
{
    struct softgpu_allocation *a = softgpu_find_allocation(p);
    return a && a->ptr == p && !a->freeing
                   && (a->span || a->kind == SOFTGPU_REGISTERED)
                   && (a->kind == one || a->kind == other)
               ? a
               : NULL;
}

static cudaError_t allocate(void **ptr, size_t bytes)
{
    struct softgpu_allocation *a;
    if (!ptr)
        return cudaErrorInvalidValue;
    *ptr = NULL;
    if (bytes == 0)
        return cudaSuccess;
    const cudaError_t error =
        softgpu_take_device(softgpu_device(), bytes, &a);
    if (!error)
        *ptr = a->ptr;
    return error;
}

cudaError_t cudaMalloc(void **ptr, size_t bytes)
{
    SOFTGPU_CALL(allocate(ptr, bytes));
}

/* Wait for everything, then give p back, if it is of one of two kinds. */
static cudaError_t release(void *p, enum softgpu_kind one,
                           enum softgpu_kind other)
{
    if (!p)
        return cudaSuccess;
    struct softgpu_allocation *a = softgpu_to_free(p, one, other);
    if (!a) {
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_FREE, p));
        return cudaErrorInvalidValue;
    }
    const cudaError_t error = softgpu_wait_device(NULL);
    a = softgpu_to_free(p, one, other); /* another thread may have been here */
    if (a && a->reserved)
        return softgpu_reserved_free(a->reserved);
    if (a)
        softgpu_give(a);
    return error ? error : a ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaFree(void *ptr)
{
    SOFTGPU_CALL(release(ptr, SOFTGPU_DEVICE_MEMORY, SOFTGPU_MANAGED));
}

/* Memory of one of the two arenas that devices share. */
static cudaError_t allocate_shared(void **ptr, size_t bytes,
                                   enum softgpu_kind kind, unsigned flags)
{
    if (!ptr)
        return cudaErrorInvalidValue;
    *ptr = NULL;
    if (bytes == 0)
        return kind == SOFTGPU_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    struct softgpu_allocation *a =
        take(kind == SOFTGPU_PINNED ? &pinned : &managed, bytes, host_limit());
    if (!a)
        return cudaErrorMemoryAllocation;
    a->kind = kind;
    a->device = softgpu_device()->index;
    a->flags = flags;
    if (kind == SOFTGPU_MANAGED)
        poison(a);
    SOFTGPU_HOOK(memory, (a, 1));
    *ptr = a->ptr;
    return cudaSuccess;
}

static cudaError_t host_alloc(void **ptr, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped
                           | cudaHostAllocWriteCombined;
    return flags & ~known ? cudaErrorInvalidValue
                          : allocate_shared(ptr, bytes, SOFTGPU_PINNED, flags);
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
    SOFTGPU_CALL(release(ptr, SOFTGPU_PINNED, SOFTGPU_PINNED));
}

cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags)
{
    SOFTGPU_CALL(flags != cudaMemAttachGlobal && flags != cudaMemAttachHost
                     ? cudaErrorInvalidValue
                     : allocate_shared(ptr, bytes, SOFTGPU_MANAGED, flags));
}

cudaError_t softgpu_remember(const void *ptr, size_t bytes,
                             enum softgpu_kind kind, unsigned flags)
{
    struct softgpu_allocation *a = calloc(1, sizeof *a);
    if (!a)
        return cudaErrorMemoryAllocation;
    *a = (struct softgpu_allocation){
        .ptr = (char *)(uintptr_t)ptr, .bytes = bytes, .kind = kind,
        .device = softgpu_device()->index, .flags = flags, .preferred = -2,
        .prefetched = -2};
    if (!softgpu_table_insert(&outside, a))
        return cudaSuccess;
    free(a);
    return cudaErrorMemoryAllocation;
}

/* 1 if a byte of the range is of an arena or remembered. */
static int overlaps(const char *p, size_t bytes)
{
    if (softgpu_find_allocation(p) || softgpu_find_allocation(p + bytes - 1))
        return 1;
    const size_t i = softgpu_table_place(&outside, p);
    return i < outside.count && outside.all[i]->ptr < p + bytes;
}

static cudaError_t host_register(void *ptr, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped
                           | cudaHostRegisterReadOnly;
    if (!ptr || !bytes || flags & ~(known | cudaHostRegisterIoMemory))
        return cudaErrorInvalidValue;
    if (flags & cudaHostRegisterIoMemory)
        return cudaErrorNotSupported;
    if (overlaps(ptr, bytes))
        return cudaErrorHostMemoryAlreadyRegistered;
    return softgpu_remember(ptr, bytes, SOFTGPU_REGISTERED, flags);
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
        softgpu_to_free(ptr, SOFTGPU_REGISTERED, SOFTGPU_REGISTERED);
    if (!a)
        return cudaErrorHostMemoryNotRegistered;
    softgpu_table_remove(&outside, softgpu_table_place(&outside, ptr));
    free(a);
    return error;
}

cudaError_t cudaHostUnregister(void *ptr)
{
    SOFTGPU_CALL(host_unregister(ptr));
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Pools: an account of what was given out; the memory is the device's.
 */
#include "pool.h"

#include <stdlib.h>

#include "call.h"
#include "memory.h"
#include "reserved.h"
#include "stream.h"

/** A pool. */
struct CUmemPoolHandle_st {
    struct softgpu_device *device;
    int is_default, dying;
    size_t limit;          /**< bytes it may give, 0: any */
    int reuse[3];          /**< kept, without effect */
    uint64_t threshold;
    uint64_t used, used_high, reserved, reserved_high;
    enum cudaMemAccessFlags access[SOFTGPU_MAX_DEVICES];
    struct CUmemPoolHandle_st *next;
};

static struct CUmemPoolHandle_st *all;

/* May the program use this handle?  A pool that dies waits for the last of
 * what it gave, but is no handle any more. */
static int is_pool(const struct CUmemPoolHandle_st *pool)
{
    const struct CUmemPoolHandle_st *p = all;
    while (p && p != pool)
        p = p->next;
    return p && !p->dying;
}

static struct CUmemPoolHandle_st *new_pool(struct softgpu_device *device)
{
    struct CUmemPoolHandle_st *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->device = device;
    p->reuse[0] = p->reuse[1] = p->reuse[2] = 1;
    p->access[device->index] = cudaMemAccessFlagsProtReadWrite;
    p->next = all;
    all = p;
    return p;
}

static void free_pool(struct CUmemPoolHandle_st *pool)
{
    struct CUmemPoolHandle_st **link = &all;
    while (*link != pool)
        link = &(*link)->next;
    *link = pool->next;
    free(pool);
}

/* The pool a device has from the start; NULL without memory. */
static struct CUmemPoolHandle_st *default_pool(struct softgpu_device *device)
{
    if (!device->default_pool) {
        device->default_pool = new_pool(device);
        if (device->default_pool)
            device->default_pool->is_default = 1;
    }
    return device->default_pool;
}

static struct CUmemPoolHandle_st *current_pool(struct softgpu_device *device)
{
    return device->pool ? device->pool : default_pool(device);
}

/* What is reserved grows with what is used, and both leave their high marks:
 * a pool does not give memory back while it may be wanted again. */
static void set_used(struct CUmemPoolHandle_st *p, uint64_t used)
{
    p->used = used;
    if (used > p->used_high)
        p->used_high = used;
    if (used > p->reserved)
        p->reserved = used;
    if (p->reserved > p->reserved_high)
        p->reserved_high = p->reserved;
}

void softgpu_pool_gave_back(const struct softgpu_allocation *allocation)
{
    struct CUmemPoolHandle_st *p = allocation->pool;
    if (!p)
        return;
    set_used(p, p->used - allocation->bytes);
    /* Above the threshold a card returns it when somebody waits; the account
     * says so at once. */
    if (p->reserved > p->threshold && p->reserved > p->used)
        p->reserved = p->threshold > p->used ? p->threshold : p->used;
    if (p->dying && p->used == 0)
        free_pool(p);
}

/* A reset.  Memory is freed behind this: it must not ask for its pool. */
void softgpu_forget_pools(struct softgpu_device *device)
{
    for (size_t i = 0; i < device->arena.table.count; i++)
        device->arena.table.all[i]->pool = NULL;
    struct CUmemPoolHandle_st *next;
    for (struct CUmemPoolHandle_st *p = all; p; p = next) {
        next = p->next;
        if (p->device == device)
            free_pool(p);
    }
    device->default_pool = device->pool = NULL;
}

/* Memory is there at once; a stream only decides which device's. */
static cudaError_t take(void **ptr, size_t bytes, cudaStream_t stream,
                        struct CUmemPoolHandle_st *pool)
{
    struct CUstream_st *s = softgpu_stream(stream);
    struct softgpu_allocation *a;
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!ptr || (pool && !is_pool(pool)))
        return cudaErrorInvalidValue;
    *ptr = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (!pool)
        pool = current_pool(s->device);
    if (!pool || (pool->limit && bytes > pool->limit - pool->used))
        return cudaErrorMemoryAllocation;
    const cudaError_t error = softgpu_take_device(pool->device, bytes, &a);
    if (error)
        return error;
    a->pool = pool;
    set_used(pool, pool->used + bytes);
    *ptr = a->ptr;
    return s->capture ? softgpu_capture_take(s, a) : cudaSuccess;
}

cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream)
{
    SOFTGPU_CALL(take(ptr, bytes, stream, NULL));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes,
                                    cudaMemPool_t pool, cudaStream_t stream)
{
    SOFTGPU_CALL(pool ? take(ptr, bytes, stream, pool)
                      : cudaErrorInvalidValue);
}

/* A graph's own memory goes with a node of it, or, once the graph has run,
 * as any does; other memory when the stream comes to it. */
static cudaError_t give(void *ptr, cudaStream_t stream)
{
    struct CUstream_st *s = softgpu_stream(stream);
    struct softgpu_allocation *a =
        softgpu_to_free(ptr, SOFTGPU_DEVICE_MEMORY, SOFTGPU_DEVICE_MEMORY);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!ptr)
        return cudaSuccess;
    if (!a)
        return cudaErrorInvalidValue;
    if (s->capture)
        return softgpu_capture_give(s, a);
    if (a->reserved)
        return softgpu_reserved_free(a->reserved);
    a->freeing = 1; /* a second free is refused from here on */
    struct softgpu_work work = {.kind = SOFTGPU_FREE, .device = s->device,
                                .allocation = a};
    return softgpu_submit(s, &work);
}

cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    SOFTGPU_CALL(give(ptr, stream));
}

static cudaError_t create(cudaMemPool_t *pool,
                          const struct cudaMemPoolProps *p)
{
    if (!pool || !p || p->allocType != cudaMemAllocationTypePinned
        || p->location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
    if (!softgpu_device_at(p->location.id))
        return cudaErrorInvalidDevice;
    if (p->handleTypes != cudaMemHandleTypeNone)
        return cudaErrorNotSupported; /* other processes cannot see it */
    *pool = new_pool(softgpu_device_at(p->location.id));
    if (*pool)
        (*pool)->limit = p->maxSize;
    return *pool ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *properties)
{
    SOFTGPU_CALL(create(pool, properties));
}

/* What it gave out stays good, and the pool with it; the device falls back to
 * its first pool, which nobody can destroy. */
static cudaError_t destroy(cudaMemPool_t pool)
{
    if (!is_pool(pool) || pool->is_default)
        return cudaErrorInvalidValue;
    if (pool->device->pool == pool)
        pool->device->pool = NULL;
    pool->dying = 1;
    if (pool->used == 0)
        free_pool(pool);
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    SOFTGPU_CALL(destroy(pool));
}

static cudaError_t pool_of(cudaMemPool_t *pool, int device,
                           struct CUmemPoolHandle_st *(*which)(
                               struct softgpu_device *))
{
    struct softgpu_device *d = softgpu_device_at(device);
    if (!pool || !d)
        return pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    *pool = which(d);
    return *pool ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    SOFTGPU_CALL(pool_of(pool, device, default_pool));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    SOFTGPU_CALL(pool_of(pool, device, current_pool));
}

static cudaError_t set_pool(int device, cudaMemPool_t pool)
{
    struct softgpu_device *d = softgpu_device_at(device);
    if (!d)
        return cudaErrorInvalidDevice;
    if (!is_pool(pool) || pool->device != d)
        return cudaErrorInvalidValue;
    d->pool = pool;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    SOFTGPU_CALL(set_pool(device, pool));
}

/* Where a pool keeps a counter; NULL for the flags and for none. */
static uint64_t *counter(struct CUmemPoolHandle_st *p,
                         enum cudaMemPoolAttr attribute)
{
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        return &p->threshold;
    case cudaMemPoolAttrReservedMemCurrent:
        return &p->reserved;
    case cudaMemPoolAttrReservedMemHigh:
        return &p->reserved_high;
    case cudaMemPoolAttrUsedMemCurrent:
        return &p->used;
    case cudaMemPoolAttrUsedMemHigh:
        return &p->used_high;
    default:
        return NULL;
    }
}

/* The three kinds of reuse, from 1: they change no result, and are but told. */
static int *flag(struct CUmemPoolHandle_st *p, enum cudaMemPoolAttr attribute)
{
    const unsigned i = (unsigned)attribute - 1;
    return i < 3 ? &p->reuse[i] : NULL;
}

/* Counters are the pool's to write, but for the threshold and two high marks,
 * which a 0 sets back to what there is now. */
static cudaError_t set_attribute(cudaMemPool_t pool,
                                 enum cudaMemPoolAttr attribute,
                                 const void *value)
{
    if (!is_pool(pool) || !value)
        return cudaErrorInvalidValue;
    int *const f = flag(pool, attribute);
    uint64_t *const c = counter(pool, attribute);
    if (f) {
        *f = *(const int *)value;
        return cudaSuccess;
    }
    const uint64_t n = c ? *(const uint64_t *)value : 0;
    if (c == &pool->threshold)
        *c = n;
    else if (c == &pool->used_high && n == 0)
        *c = pool->used;
    else if (c == &pool->reserved_high && n == 0)
        *c = pool->reserved;
    else
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute,
                                    void *value)
{
    SOFTGPU_CALL(set_attribute(pool, attribute, value));
}

static cudaError_t get_attribute(cudaMemPool_t pool,
                                 enum cudaMemPoolAttr attribute, void *value)
{
    if (!is_pool(pool) || !value)
        return cudaErrorInvalidValue;
    const int *f = flag(pool, attribute);
    const uint64_t *c = counter(pool, attribute);
    if (f)
        *(int *)value = *f;
    else if (c)
        *(uint64_t *)value = *c;
    return f || c ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute,
                                    void *value)
{
    SOFTGPU_CALL(get_attribute(pool, attribute, value));
}

/* `keep` bytes stay reserved, and what is in use in any case. */
static cudaError_t trim(cudaMemPool_t pool, size_t keep)
{
    if (!is_pool(pool))
        return cudaErrorInvalidValue;
    const uint64_t most = keep > pool->used ? keep : pool->used;
    if (pool->reserved > most)
        pool->reserved = most;
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    SOFTGPU_CALL(trim(pool, keep));
}

static cudaError_t set_access(cudaMemPool_t pool,
                              const struct cudaMemAccessDesc *access, size_t n)
{
    if (!is_pool(pool) || (n && !access))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++) {
        const int id = access[i].location.id;
        if (access[i].location.type != cudaMemLocationTypeDevice
            || !softgpu_device_at(id)
            || (id == pool->device->index
                && access[i].flags != cudaMemAccessFlagsProtReadWrite))
            return cudaErrorInvalidValue;
        pool->access[id] = access[i].flags;
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *access,
                                 size_t n)
{
    SOFTGPU_CALL(set_access(pool, access, n));
}

static cudaError_t get_access(enum cudaMemAccessFlags *flags,
                              cudaMemPool_t pool,
                              const struct cudaMemLocation *location)
{
    if (!is_pool(pool) || !flags || !location
        || location->type != cudaMemLocationTypeDevice
        || !softgpu_device_at(location->id))
        return cudaErrorInvalidValue;
    *flags = pool->access[location->id];
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    SOFTGPU_CALL(get_access(flags, pool, location));
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory pools: counters; the memory is allocated in the device's arena.
 */
#include "pool.h"

#include <stdlib.h>

#include "call.h"
#include "memory.h"
#include "graph_memory.h"
#include "stream.h"

/** A memory pool. */
struct CUmemPoolHandle_st {
    struct softgpu_device *device;
    int is_default, is_destroyed;
    size_t limit;          /**< bytes it may allocate; 0: no limit */
    int reuse[3];          /**< stored, without effect */
    uint64_t threshold;
    uint64_t used, used_high, reserved, reserved_high;
    enum cudaMemAccessFlags access[SOFTGPU_MAX_DEVICES];
    struct CUmemPoolHandle_st *next;
};

static struct CUmemPoolHandle_st *all;

/* Is this a valid handle?  A destroyed pool exists until its last allocation is
 * freed, but its handle is invalid. */
static int is_pool(const struct CUmemPoolHandle_st *pool)
{
    const struct CUmemPoolHandle_st *p = all;
    while (p && p != pool)
        p = p->next;
    return p && !p->is_destroyed;
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

/* A device's default pool; NULL without memory. */
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

/* Reserved memory grows with used memory, and both have high-water marks: a
 * pool keeps freed memory for reuse. */
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

void softgpu_pool_on_free(const struct softgpu_allocation *allocation)
{
    struct CUmemPoolHandle_st *p = allocation->pool;
    if (!p)
        return;
    set_used(p, p->used - allocation->bytes);
    /* Memory above the threshold is released: a GPU does it at the next
     * synchronization, this counter at once. */
    if (p->reserved > p->threshold && p->reserved > p->used)
        p->reserved = p->threshold > p->used ? p->threshold : p->used;
    if (p->is_destroyed && p->used == 0)
        free_pool(p);
}

/* A device reset.  Its memory is freed later: it must not refer to a pool. */
void softgpu_reset_pools(struct softgpu_device *device)
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

/* Memory is allocated at once; the stream only selects the device. */
static cudaError_t malloc_async(void **ptr, size_t bytes, cudaStream_t stream,
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
    const cudaError_t error =
        softgpu_alloc_device_memory(pool->device, bytes, &a);
    if (error)
        return error;
    a->pool = pool;
    set_used(pool, pool->used + bytes);
    *ptr = a->ptr;
    return s->capture ? softgpu_capture_alloc(s, a) : cudaSuccess;
}

cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream)
{
    SOFTGPU_CALL(malloc_async(ptr, bytes, stream, NULL));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes,
                                    cudaMemPool_t pool, cudaStream_t stream)
{
    SOFTGPU_CALL(pool ? malloc_async(ptr, bytes, stream, pool)
                      : cudaErrorInvalidValue);
}

/* In a capture by a node, else by a command of the stream. */
static cudaError_t free_async(void *ptr, cudaStream_t stream)
{
    struct CUstream_st *s = softgpu_stream(stream);
    struct softgpu_allocation *a = softgpu_find_freeable(
        ptr, SOFTGPU_DEVICE_MEMORY, SOFTGPU_DEVICE_MEMORY);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!ptr)
        return cudaSuccess;
    if (!a)
        return cudaErrorInvalidValue;
    if (s->capture)
        return softgpu_capture_free(s, a);
    if (a->graph_memory)
        return softgpu_graph_memory_free_async(s, a->graph_memory);
    a->freeing = 1; /* a second free fails from now on */
    struct softgpu_command command = {.kind = SOFTGPU_FREE, .device = s->device,
                                .allocation = a};
    return softgpu_submit(s, &command);
}

cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    softgpu_note_refused_free(ptr);
    SOFTGPU_CALL(free_async(ptr, stream));
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
        return cudaErrorNotSupported; /* no interprocess handles */
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

/* The pool exists until its last allocation is freed.  The device falls back to
 * its default pool, which cannot be destroyed. */
static cudaError_t destroy(cudaMemPool_t pool)
{
    if (!is_pool(pool) || pool->is_default)
        return cudaErrorInvalidValue;
    if (pool->device->pool == pool)
        pool->device->pool = NULL;
    pool->is_destroyed = 1;
    if (pool->used == 0)
        free_pool(pool);
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    SOFTGPU_CALL(destroy(pool));
}

static cudaError_t pool_of(cudaMemPool_t *pool, int device,
                           cudaMemPool_t (*which)(struct softgpu_device *))
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

/* The counter of an attribute; NULL if it is no counter. */
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

/* The flag of a reuse attribute (they have no effect), or NULL. */
static int *flag(struct CUmemPoolHandle_st *p, enum cudaMemPoolAttr attribute)
{
    const unsigned i = (unsigned)attribute - 1;
    return i < 3 ? &p->reuse[i] : NULL;
}

/* Of the counters the program may only set the threshold, and reset the two
 * high-water marks to the current value by a 0. */
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

/* At least `keep` bytes and the used memory stay reserved. */
static cudaError_t trim_pool(cudaMemPool_t pool, size_t keep)
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
    SOFTGPU_CALL(trim_pool(pool, keep));
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

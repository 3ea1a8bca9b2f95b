/* SPDX-License-Identifier: MIT */
/** @file
 *  Pointer attributes, pitched memory, and hints for managed memory.
 */
#include <string.h>

#include "call.h"
#include "memory.h"
#include "stream.h"

#define PITCH 512 /* alignment of rows, as on GPUs */
#define HOST_BIT (1u << 31)

static cudaError_t attributes_of(struct cudaPointerAttributes *to,
                                 const void *ptr)
{
    if (!to)
        return cudaErrorInvalidValue;
    void *const p = (void *)(uintptr_t)ptr;
    const struct softgpu_allocation *a = softgpu_find_allocation(ptr);
    *to = (struct cudaPointerAttributes){
        .type = cudaMemoryTypeUnregistered,
        .device = a ? a->device : cudaInvalidDeviceId};
    if (a && a->kind == SOFTGPU_SYMBOL)
        to->device = softgpu_device()->index; /* every device has one */
    if (!a) {
        if (softgpu_memory_type(ptr, 1) == SOFTGPU_PAGEABLE)
            to->hostPointer = p;
        return cudaSuccess;
    }
    to->devicePointer = p;
    switch (softgpu_memory_type(ptr, 1)) {
    case SOFTGPU_DEVICE_ONLY:
        to->type = cudaMemoryTypeDevice;
        break;
    case SOFTGPU_UNIFIED:
        to->type = cudaMemoryTypeManaged;
        to->hostPointer = p;
        break;
    default:
        to->type = cudaMemoryTypeHost;
        to->hostPointer = p;
    }
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *ptr)
{
    SOFTGPU_CALL(attributes_of(attributes, ptr));
}

/* The pinned allocation that contains p, or NULL. */
static struct softgpu_allocation *pinned_at(const void *p)
{
    struct softgpu_allocation *a = softgpu_find_allocation(p);
    return a && softgpu_memory_type(p, 1) == SOFTGPU_PAGE_LOCKED ? a : NULL;
}

static cudaError_t device_pointer(void **device, void *host, unsigned flags)
{
    struct softgpu_allocation *a = pinned_at(host);
    if (!device || flags || !a)
        return cudaErrorInvalidValue;
    if (softgpu_remote && a->kind == SOFTGPU_REGISTERED) {
        softgpu_warn_at_call("kernels cannot access registered memory where "
                             "host code and kernels run in two processes: "
                             "allocate it with cudaHostAlloc");
        return cudaErrorNotSupported;
    }
    a->flags |= cudaHostAllocMapped;
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host,
                                     unsigned int flags)
{
    SOFTGPU_CALL(device_pointer(device, host, flags));
}

static cudaError_t host_flags(unsigned *flags, const void *host)
{
    const struct softgpu_allocation *a = pinned_at(host);
    if (!flags || !a)
        return cudaErrorInvalidValue;
    *flags = a->flags | cudaHostAllocMapped; /* unified addressing */
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    SOFTGPU_CALL(host_flags(flags, host));
}

static cudaError_t malloc_pitch(void **ptr, size_t *pitch, size_t width,
                                size_t rows)
{
    struct softgpu_allocation *a;
    if (!ptr || !pitch)
        return cudaErrorInvalidValue;
    *ptr = NULL;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (!width || !rows)
        return cudaSuccess;
    if (*pitch < width || rows > SIZE_MAX / *pitch)
        return cudaErrorMemoryAllocation;
    const cudaError_t error =
        softgpu_alloc_device_memory(softgpu_device(), *pitch * rows, &a);
    if (!error)
        *ptr = a->ptr;
    return error;
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width,
                            size_t height)
{
    SOFTGPU_CALL(malloc_pitch(ptr, pitch, width, height));
}

static cudaError_t malloc_3d(struct cudaPitchedPtr *p, struct cudaExtent e)
{
    if (!p || (e.depth && e.height > SIZE_MAX / e.depth))
        return cudaErrorInvalidValue;
    p->xsize = e.width;
    p->ysize = e.height;
    return malloc_pitch(&p->ptr, &p->pitch, e.width, e.height * e.depth);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent)
{
    SOFTGPU_CALL(malloc_3d(ptr, extent));
}

static cudaError_t memory_info(size_t *free, size_t *total)
{
    if (!free || !total)
        return cudaErrorInvalidValue;
    *free = softgpu_free_bytes(softgpu_device());
    *total = softgpu_card()->memory_bytes;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    SOFTGPU_CALL(memory_info(free, total));
}

/* The managed allocation that contains the whole range, or NULL. */
static struct softgpu_allocation *managed_at(const void *p, size_t bytes)
{
    return softgpu_memory_type(p, bytes) == SOFTGPU_UNIFIED
               ? softgpu_find_allocation(p)
               : NULL;
}

static int is_location(int device)
{
    return device == cudaCpuDeviceId || softgpu_device_at(device);
}

/* The device of a location; -3 if it is invalid. */
static int device_of(struct cudaMemLocation l)
{
    switch (l.type) {
    case cudaMemLocationTypeDevice:
        return l.id < 0 ? -3 : l.id;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
        return cudaCpuDeviceId;
    default:
        return -3;
    }
}

static cudaError_t prefetch(const void *ptr, size_t bytes, int device,
                            cudaStream_t stream)
{
    struct CUstream_st *s = softgpu_stream(stream);
    struct softgpu_allocation *a = managed_at(ptr, bytes);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!a || !bytes)
        return cudaErrorInvalidValue;
    if (!is_location(device))
        return cudaErrorInvalidDevice;
    a->prefetched = device;
    struct softgpu_command command = {.kind = SOFTGPU_EMPTY,
                                      .device = s->device};
    return softgpu_submit(s, &command);
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device,
                                 cudaStream_t stream)
{
    SOFTGPU_CALL(prefetch(ptr, bytes, device, stream));
}

cudaError_t cudaMemPrefetchAsync_v2(const void *ptr, size_t bytes,
                                    struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream)
{
    SOFTGPU_CALL(flags ? cudaErrorInvalidValue
                       : prefetch(ptr, bytes, device_of(location), stream));
}

static cudaError_t advise(const void *ptr, size_t bytes,
                          enum cudaMemoryAdvise advice, int device)
{
    struct softgpu_allocation *a = managed_at(ptr, bytes);
    if (!a || !bytes || (unsigned)advice < cudaMemAdviseSetReadMostly
        || advice > cudaMemAdviseUnsetAccessedBy)
        return cudaErrorInvalidValue;
    const int needs_place = advice == cudaMemAdviseSetPreferredLocation
                            || advice >= cudaMemAdviseSetAccessedBy;
    if (needs_place && !is_location(device))
        return cudaErrorInvalidDevice;
    const uint32_t bit = device < 0 ? HOST_BIT : 1u << device;
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
        a->read_mostly = advice == cudaMemAdviseSetReadMostly;
        break;
    case cudaMemAdviseSetPreferredLocation:
        a->preferred = device;
        break;
    case cudaMemAdviseUnsetPreferredLocation:
        a->preferred = cudaInvalidDeviceId;
        break;
    case cudaMemAdviseSetAccessedBy:
        a->accessed_by |= bit;
        break;
    default:
        a->accessed_by &= ~bit;
    }
    return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void *ptr, size_t bytes,
                          enum cudaMemoryAdvise advice, int device)
{
    SOFTGPU_CALL(advise(ptr, bytes, advice, device));
}

cudaError_t cudaMemAdvise_v2(const void *ptr, size_t bytes,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    SOFTGPU_CALL(advise(ptr, bytes, advice, device_of(location)));
}

/* The devices of cudaMemAdviseSetAccessedBy, then cudaInvalidDeviceId. */
static void list_accessing_devices(const struct softgpu_allocation *a, int *to,
                                   size_t n)
{
    size_t at = 0;
    for (int d = 0; d < softgpu_device_count() && at < n; d++)
        if (a->accessed_by & 1u << d)
            to[at++] = d;
    if (at < n && a->accessed_by & HOST_BIT)
        to[at++] = cudaCpuDeviceId;
    while (at < n)
        to[at++] = cudaInvalidDeviceId;
}

static cudaError_t range_attribute(int *data, size_t size,
                                   enum cudaMemRangeAttribute attribute,
                                   const struct softgpu_allocation *a)
{
    if (!data || !a || size < sizeof *data || size % sizeof *data)
        return cudaErrorInvalidValue;
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
        *data = a->read_mostly;
        return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
        *data = a->preferred;
        return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
        *data = a->prefetched;
        return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
        list_accessing_devices(a, data, size / sizeof *data);
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                     enum cudaMemRangeAttribute attribute,
                                     const void *ptr, size_t bytes)
{
    SOFTGPU_CALL(range_attribute(data, dataSize, attribute,
                                 managed_at(ptr, bytes)));
}

static cudaError_t attach(cudaStream_t stream, const void *ptr, size_t bytes,
                          unsigned flags)
{
    if (!softgpu_stream(stream))
        return cudaErrorInvalidResourceHandle;
    if (!managed_at(ptr, bytes) || !flags || flags > cudaMemAttachSingle
        || flags & (flags - 1))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr,
                                     size_t bytes, unsigned int flags)
{
    SOFTGPU_CALL(attach(stream, ptr, bytes, flags));
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Arrays: allocation, properties, and their place in memory.
 */
#include "common/softgpu/host/array.h"

#include <stdlib.h>

#include "common/softgpu/host/call.h"
#include "common/softgpu/host/memory.h"
#include "common/softgpu/host/stream.h"
#include "object.h"

/* Limits of compute capability 7.0 and later, in elements. */
enum {
    MAX_1D = 131072,
    MAX_2D_HEIGHT = 65536,
    MAX_3D = 16384,
    MAX_LAYERED = 32768,
    MAX_LAYERS = 2048
};
#define LINEAR_BYTES ((size_t)1 << 28)

static struct cudaArray *all_arrays;

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

cudaError_t softgpu_read_format(struct softgpu_format *to,
                                const struct cudaChannelFormatDesc *d)
{
    const int bits[4] = {d->x, d->y, d->z, d->w};
    int n = 0;
    while (n < 4 && bits[n])
        n++;
    if ((unsigned)d->f > cudaChannelFormatKindNone)
        return cudaErrorNotSupported;
    if (n == 0 || n == 3 || d->f == cudaChannelFormatKindNone
        || (d->x != 8 && d->x != 16 && d->x != 32)
        || (d->x == 8 && d->f == cudaChannelFormatKindFloat))
        return cudaErrorInvalidChannelDescriptor;
    for (int i = 1; i < 4; i++)
        if (bits[i] != (i < n ? d->x : 0))
            return cudaErrorInvalidChannelDescriptor;
    *to = (struct softgpu_format){d->f, n, d->x, n * d->x / 8};
    return cudaSuccess;
}

/* Six square faces, or for a layered one six a layer. */
static int is_cubemap(struct cudaExtent e, int layered)
{
    return e.width == e.height && e.depth && e.depth % 6 == 0
           && (layered ? e.depth <= 6 * (MAX_LAYERS / 6) : e.depth == 6)
           && e.width <= MAX_LAYERED;
}

/* Limits of layered arrays. */
static int is_layered(struct cudaExtent e)
{
    return e.width <= MAX_LAYERED && e.height <= MAX_LAYERED && e.depth
           && e.depth <= MAX_LAYERS;
}

/* Limits by the number of dimensions; a size of 0 ends them. */
static int is_plain(struct cudaExtent e)
{
    if (e.depth)
        return e.height && e.width <= MAX_3D && e.height <= MAX_3D
               && e.depth <= MAX_3D;
    return e.width <= MAX_1D && e.height <= MAX_2D_HEIGHT;
}

cudaError_t softgpu_check_array(const struct cudaChannelFormatDesc *desc,
                                struct cudaExtent e, unsigned flags)
{
    const unsigned refused = cudaArrayColorAttachment | cudaArraySparse
                             | cudaArrayDeferredMapping;
    struct softgpu_format format;
    if (!desc || !e.width || flags > 0xff)
        return cudaErrorInvalidValue;
    if (flags & refused)
        return cudaErrorNotSupported;
    const cudaError_t error = softgpu_read_format(&format, desc);
    if (error)
        return error;
    const int layered = !!(flags & cudaArrayLayered);
    const int fits = flags & cudaArrayCubemap ? is_cubemap(e, layered)
                     : layered                ? is_layered(e)
                                              : is_plain(e);
    const int gather = flags & cudaArrayTextureGather;
    return fits && (!gather || (e.height && !e.depth)) ? cudaSuccess
                                                       : cudaErrorInvalidValue;
}

size_t softgpu_array_bytes(const struct cudaArray *a)
{
    return a->image.slice * (size_t)a->image.depth;
}

struct cudaArray *softgpu_array_new(const struct cudaChannelFormatDesc *desc,
                                    struct cudaExtent e, unsigned flags)
{
    struct cudaArray *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    *a = (struct cudaArray){.next = all_arrays, .alive = 1, .desc = *desc,
                            .extent = e, .flags = flags};
    softgpu_read_format(&a->format, desc);
    a->image.width = (int64_t)e.width;
    a->image.height = e.height ? (int64_t)e.height : 1;
    a->image.depth = e.depth ? (int64_t)e.depth : 1;
    a->image.pitch = e.width * (size_t)a->format.bytes;
    a->image.slice = a->image.pitch * (size_t)a->image.height;
    all_arrays = a;
    return a;
}

/* The texels lie in device memory like any allocation. */
static cudaError_t malloc_array(cudaArray_t *to,
                                const struct cudaChannelFormatDesc *desc,
                                struct cudaExtent extent, unsigned flags)
{
    if (!to)
        return cudaErrorInvalidValue;
    *to = NULL;
    cudaError_t error = softgpu_check_array(desc, extent, flags);
    if (error)
        return error;
    struct cudaArray *a = softgpu_array_new(desc, extent, flags);
    if (!a)
        return cudaErrorMemoryAllocation;
    error = softgpu_alloc_device_memory(softgpu_device(),
                                        softgpu_array_bytes(a), &a->memory);
    if (error) {
        a->alive = 0;
        return error;
    }
    a->image.base = a->memory->ptr;
    *to = a;
    return cudaSuccess;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    SOFTGPU_CALL(malloc_array(array, desc, extent, flags));
}

cudaError_t cudaMallocArray(cudaArray_t *array,
                            const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags)
{
    const unsigned known = cudaArraySurfaceLoadStore | cudaArrayTextureGather
                           | cudaArraySparse | cudaArrayDeferredMapping;
    const struct cudaExtent extent = {width, height, 0};
    SOFTGPU_CALL(flags & ~known
                     ? cudaErrorInvalidValue
                     : malloc_array(array, desc, extent, flags));
}

/* The array of a handle, freed or not; or NULL. */
static struct cudaArray *find(const void *handle)
{
    struct cudaArray *a = all_arrays;
    while (a && a != handle)
        a = a->next;
    return a;
}

int softgpu_is_array_handle(const void *handle)
{
    return find(handle) != NULL;
}

struct cudaArray *softgpu_array(cudaArray_const_t handle)
{
    struct cudaArray *a = find(handle);
    return a && a->alive ? a : NULL;
}

/* Kernels that still use the array end first.  A level of a mipmap belongs to
 * the mipmap. */
static cudaError_t free_array(cudaArray_t handle)
{
    if (!handle)
        return cudaSuccess;
    struct cudaArray *a = softgpu_array(handle);
    if (!a || a->mipmap)
        return cudaErrorInvalidValue;
    const cudaError_t error = softgpu_wait_device(NULL);
    if (a->alive)
        softgpu_free_allocation(a->memory);
    a->alive = 0;
    return error;
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    SOFTGPU_CALL(free_array(array));
}

/* Each result may be NULL. */
static cudaError_t array_info(struct cudaChannelFormatDesc *desc,
                              struct cudaExtent *extent, unsigned *flags,
                              cudaArray_const_t handle)
{
    const struct cudaArray *a = softgpu_array(handle);
    if (!a)
        return cudaErrorInvalidValue;
    if (desc)
        *desc = a->desc;
    if (extent)
        *extent = a->extent;
    if (flags)
        *flags = a->flags;
    return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
                             struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array)
{
    SOFTGPU_CALL(array_info(desc, extent, flags, array));
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                               cudaArray_const_t array)
{
    SOFTGPU_CALL(desc ? array_info(desc, NULL, NULL, array)
                      : cudaErrorInvalidValue);
}

/* Bytes and alignment. */
static cudaError_t requirements(struct cudaArrayMemoryRequirements *to,
                                cudaArray_t handle, int device)
{
    const struct cudaArray *a = softgpu_array(handle);
    if (!to || !a)
        return cudaErrorInvalidValue;
    if (!softgpu_device_at(device))
        return cudaErrorInvalidDevice;
    *to = (struct cudaArrayMemoryRequirements){softgpu_array_bytes(a), 512,
                                               {0}};
    return cudaSuccess;
}

cudaError_t cudaArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *to, cudaArray_t array, int device)
{
    SOFTGPU_CALL(requirements(to, array, device));
}

/* The most texels of a texture over linear memory. */
static cudaError_t linear_width(size_t *width,
                                const struct cudaChannelFormatDesc *desc,
                                int device)
{
    struct softgpu_format format;
    if (!width || !desc)
        return cudaErrorInvalidValue;
    if (!softgpu_device_at(device))
        return cudaErrorInvalidDevice;
    const cudaError_t error = softgpu_read_format(&format, desc);
    if (!error)
        *width = LINEAR_BYTES / (size_t)format.bytes;
    return error;
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *width, const struct cudaChannelFormatDesc *desc, int device)
{
    SOFTGPU_CALL(linear_width(width, desc, device));
}

int softgpu_array_box(struct softgpu_box *to, const struct cudaArray *a,
                      struct cudaPos from, struct cudaExtent e)
{
    const struct softgpu_image *i = &a->image;
    const size_t width = (size_t)i->width, height = (size_t)i->height,
                 depth = (size_t)i->depth;
    if (from.x > width || from.y > height || from.z > depth
        || e.width > width - from.x || e.height > height - from.y
        || e.depth > depth - from.z)
        return -1;
    to->ptr = i->base + from.z * i->slice + from.y * i->pitch
              + from.x * (size_t)a->format.bytes;
    to->pitch = i->pitch;
    to->slice = i->slice;
    return 0;
}

void softgpu_arrays_reset(const struct softgpu_device *device)
{
    for (struct cudaArray *a = all_arrays; a; a = a->next) {
        const struct softgpu_allocation *m =
            a->mipmap ? a->mipmap->memory : a->memory;
        if (a->alive && m && m->device == device->index)
            a->alive = 0;
    }
}

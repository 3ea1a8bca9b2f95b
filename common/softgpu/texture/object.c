/* SPDX-License-Identifier: MIT */
/** @file
 *  Texture and surface objects: creation with all checks, destruction, and the
 *  look-up by kernels, which takes no lock: slots are never freed.
 */
#include "object.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/fault.h"
#include "common/softgpu/host/call.h"
#include "common/softgpu/host/memory.h"
#include "common/softgpu/host/stream.h"

enum {
    CHUNK = 1024, /* slots allocated together */
    CHUNKS = 1024,
    ALIGNMENT = 512, /* cudaDeviceProp.textureAlignment */
    PITCH_ALIGNMENT = 32
};

static struct softgpu_object *chunks[CHUNKS];
static unsigned slots; /* that were used so far */

/* --- handles -------------------------------------------------------------- */

/* Objects lie in chunks that never move, so a kernel can read one while the
 * host makes others. */
static struct softgpu_object *slot_at(uint64_t i)
{
    struct softgpu_object *const chunk =
        i / CHUNK < CHUNKS ? chunks[i / CHUNK] : NULL;
    return chunk ? &chunk[i % CHUNK] : NULL;
}

/* The slot of a handle, also of a destroyed object; NULL: of none. */
static struct softgpu_object *slot_of(uint64_t handle)
{
    const uint64_t number = handle & 0xffffffff;
    struct softgpu_object *o = number ? slot_at(number - 1) : NULL;
    return o && o->generation >= handle >> 32 && handle >> 32 ? o : NULL;
}

/* A handle names a slot and its generation: a destroyed object's handle is
 * invalid. */
static struct softgpu_object *object_of(uint64_t handle,
                                        enum softgpu_object_kind kind)
{
    struct softgpu_object *o = slot_of(handle);
    return o && o->generation == handle >> 32 && o->kind == kind ? o : NULL;
}

/* Store an object in a free slot.  @return its handle, 0 without memory */
static uint64_t new_handle(const struct softgpu_object *from)
{
    uint64_t i = 0;
    while (i < slots && slot_at(i)->kind != SOFTGPU_NO_OBJECT)
        i++;
    if (i == (uint64_t)CHUNK * CHUNKS)
        return 0;
    if (!chunks[i / CHUNK])
        chunks[i / CHUNK] = calloc(CHUNK, sizeof *from);
    struct softgpu_object *o = slot_at(i);
    if (!o)
        return 0;
    const uint32_t generation = o->generation + 1;
    *o = *from;
    o->generation = generation;
    slots += i == slots;
    return (uint64_t)generation << 32 | (i + 1);
}

/* --- creation ------------------------------------------------------------- */

/* How coordinates are read, from the array's flags and sizes. */
static enum softgpu_shape shape_of(const struct cudaArray *a)
{
    const int layered = a->flags & cudaArrayLayered;
    if (a->flags & cudaArrayCubemap)
        return layered ? SOFTGPU_CUBEMAP_LAYERED : SOFTGPU_CUBEMAP;
    if (layered)
        return a->extent.height ? SOFTGPU_2D_LAYERED : SOFTGPU_1D_LAYERED;
    return a->extent.depth    ? SOFTGPU_3D
           : a->extent.height ? SOFTGPU_2D
                              : SOFTGPU_1D;
}

/* The object samples one array. */
static cudaError_t use_array(struct softgpu_object *o, cudaArray_t handle)
{
    const struct cudaArray *a = softgpu_array(handle);
    if (!a)
        return cudaErrorInvalidValue;
    o->array = a;
    o->format = a->format;
    o->shape = shape_of(a);
    o->levels = 1;
    o->level[0] = a->image;
    return cudaSuccess;
}

/* The object samples all levels. */
static cudaError_t use_mipmap(struct softgpu_object *o,
                              cudaMipmappedArray_t handle)
{
    const struct cudaMipmappedArray *m = softgpu_mipmap(handle);
    const cudaError_t error =
        m ? use_array(o, m->levels[0]) : cudaErrorInvalidValue;
    if (error)
        return error;
    o->levels = (int)m->count;
    for (int i = 0; i < o->levels; i++)
        o->level[i] = m->levels[i]->image;
    return cudaSuccess;
}

/* Is memory valid for a texture: aligned as cudaMalloc() aligns on a card?  A
 * card does not compare the size with the allocation's; a fetch past its end is
 * an access like any other. */
static int is_texture_memory(const char *p, size_t bytes)
{
    const enum softgpu_memory_type type = softgpu_memory_type(p, 1);
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    return a && bytes && type != SOFTGPU_PAGEABLE
           && type != SOFTGPU_INVALID_RANGE && (p - a->ptr) % ALIGNMENT == 0;
}

/* The object fetches elements of linear memory. */
static cudaError_t use_linear(struct softgpu_object *o)
{
    char *p = o->resource.res.linear.devPtr;
    const size_t bytes = o->resource.res.linear.sizeInBytes;
    const cudaError_t error =
        softgpu_read_format(&o->format, &o->resource.res.linear.desc);
    if (error)
        return error;
    if (!is_texture_memory(p, bytes))
        return cudaErrorInvalidValue;
    const int64_t width = (int64_t)(bytes / (size_t)o->format.bytes);
    o->shape = SOFTGPU_LINEAR;
    o->levels = 1;
    o->level[0] = (struct softgpu_image){p, width, 1, 1, bytes, bytes};
    return cudaSuccess;
}

/* The object samples pitched memory in two dimensions. */
static cudaError_t use_rows(struct softgpu_object *o)
{
    char *p = o->resource.res.pitch2D.devPtr;
    const size_t width = o->resource.res.pitch2D.width,
                 height = o->resource.res.pitch2D.height,
                 pitch = o->resource.res.pitch2D.pitchInBytes;
    const cudaError_t error =
        softgpu_read_format(&o->format, &o->resource.res.pitch2D.desc);
    if (error)
        return error;
    const size_t row = width * (size_t)o->format.bytes;
    if (!width || !height || pitch < row || pitch % PITCH_ALIGNMENT
        || !is_texture_memory(p, pitch * (height - 1) + row))
        return cudaErrorInvalidValue;
    o->shape = SOFTGPU_2D;
    o->levels = 1;
    o->level[0] = (struct softgpu_image){p, (int64_t)width, (int64_t)height, 1,
                                         pitch, pitch * height};
    return cudaSuccess;
}

/* One of the four kinds of resources. */
static cudaError_t use_resource(struct softgpu_object *o)
{
    switch (o->resource.resType) {
    case cudaResourceTypeArray:
        return use_array(o, o->resource.res.array.array);
    case cudaResourceTypeMipmappedArray:
        return use_mipmap(o, o->resource.res.mipmap.mipmap);
    case cudaResourceTypeLinear:
        return use_linear(o);
    case cudaResourceTypePitch2D:
        return use_rows(o);
    }
    return cudaErrorInvalidValue;
}

/* Combinations that CUDA's documentation excludes. */
static cudaError_t check_desc(const struct softgpu_object *o)
{
    const struct cudaTextureDesc *d = &o->desc;
    const struct softgpu_format *f = &o->format;
    const int cube =
        o->shape == SOFTGPU_CUBEMAP || o->shape == SOFTGPU_CUBEMAP_LAYERED;
    const int normalized = d->readMode == cudaReadModeNormalizedFloat;
    const int is_float = f->kind == cudaChannelFormatKindFloat;
    for (int i = 0; i < 3; i++)
        if ((unsigned)d->addressMode[i] > cudaAddressModeBorder)
            return cudaErrorInvalidValue;
    if ((unsigned)d->filterMode > cudaFilterModeLinear
        || (unsigned)d->mipmapFilterMode > cudaFilterModeLinear
        || (unsigned)d->readMode > cudaReadModeNormalizedFloat)
        return cudaErrorInvalidValue;
    if (d->sRGB || d->maxAnisotropy > 1
        || (d->seamlessCubemap && cube
            && d->filterMode == cudaFilterModeLinear))
        return cudaErrorNotSupported;
    if (normalized && !is_float && f->bits > 16)
        return cudaErrorInvalidNormSetting;
    if (!normalized && !is_float && d->filterMode == cudaFilterModeLinear
        && o->shape != SOFTGPU_LINEAR)
        return cudaErrorInvalidFilterSetting;
    return o->levels > 1 && !d->normalizedCoords ? cudaErrorInvalidValue
                                                 : cudaSuccess;
}

/* The handle stays 0 after an error. */
static cudaError_t create_texture(cudaTextureObject_t *to,
                                  const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *desc,
                                  const struct cudaResourceViewDesc *view)
{
    struct softgpu_object o = {.kind = SOFTGPU_TEXTURE};
    if (!to || !resource || !desc)
        return cudaErrorInvalidValue;
    *to = 0;
    if (view)
        return cudaErrorNotSupported;
    o.resource = *resource;
    o.desc = *desc;
    cudaError_t error = use_resource(&o);
    if (!error)
        error = check_desc(&o);
    if (!error && !(*to = new_handle(&o)))
        error = cudaErrorMemoryAllocation;
    return error;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view)
{
    SOFTGPU_CALL(create_texture(texture, resource, desc, view));
}

/* Only arrays can be written by surfaces. */
static cudaError_t create_surface(cudaSurfaceObject_t *to,
                                  const struct cudaResourceDesc *resource)
{
    struct softgpu_object o = {.kind = SOFTGPU_SURFACE};
    if (!to || !resource || resource->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    *to = 0;
    o.resource = *resource;
    const cudaError_t error = use_resource(&o);
    if (error)
        return error;
    if (!(o.array->flags & cudaArraySurfaceLoadStore))
        return cudaErrorInvalidValue;
    *to = new_handle(&o);
    return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource)
{
    SOFTGPU_CALL(create_surface(surface, resource));
}

/* --- the other calls ------------------------------------------------------ */

/* Kernels that are queued may use the object: they run first. */
static cudaError_t destroy(uint64_t handle, enum softgpu_object_kind kind)
{
    if (!handle)
        return cudaSuccess;
    if (!object_of(handle, kind))
        return cudaErrorInvalidValue;
    const cudaError_t error = softgpu_wait_device(NULL);
    if (object_of(handle, kind)) /* no other thread destroyed it */
        object_of(handle, kind)->kind = SOFTGPU_NO_OBJECT;
    return error;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    SOFTGPU_CALL(destroy(texture, SOFTGPU_TEXTURE));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    SOFTGPU_CALL(destroy(surface, SOFTGPU_SURFACE));
}

/* The description that the object was made of. */
static cudaError_t get_resource(struct cudaResourceDesc *to, uint64_t handle,
                                enum softgpu_object_kind kind)
{
    const struct softgpu_object *o = object_of(handle, kind);
    if (!to || !o)
        return cudaErrorInvalidValue;
    *to = o->resource;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *to,
                                             cudaTextureObject_t texture)
{
    SOFTGPU_CALL(get_resource(to, texture, SOFTGPU_TEXTURE));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *to,
                                             cudaSurfaceObject_t surface)
{
    SOFTGPU_CALL(get_resource(to, surface, SOFTGPU_SURFACE));
}

/* The description that the object was made of. */
static cudaError_t get_desc(struct cudaTextureDesc *to, uint64_t handle)
{
    const struct softgpu_object *o = object_of(handle, SOFTGPU_TEXTURE);
    if (!to || !o)
        return cudaErrorInvalidValue;
    *to = o->desc;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *to,
                                            cudaTextureObject_t texture)
{
    SOFTGPU_CALL(get_desc(to, texture));
}

/* --- use by kernels ------------------------------------------------------- */

void softgpu_texture_fail(const void *site, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (CURRENT_BLOCK)
        CURRENT_THREAD->site = site;
    softgpu_fail(cudaErrorLaunchFailure, "%s", text);
}

/* Can a function for `asked` read an object of shape `has`? */
static int fits(enum softgpu_shape asked, enum softgpu_shape has)
{
    return asked == has
           || (asked == SOFTGPU_2D_LAYERED
               && (has == SOFTGPU_CUBEMAP || has == SOFTGPU_CUBEMAP_LAYERED));
}

const struct softgpu_object *softgpu_use_object(uint64_t handle,
                                                enum softgpu_object_kind kind,
                                                enum softgpu_shape shape,
                                                const void *site)
{
    static const char *const shapes[] = {
        "1D", "2D", "3D", "1D layered", "2D layered", "cubemap",
        "layered cubemap", "linear"};
    const char *what = kind == SOFTGPU_TEXTURE ? "texture" : "surface";
    const struct softgpu_object *o = object_of(handle, kind);
    if (!o && slot_of(handle))
        softgpu_texture_fail(site, "the %s object was destroyed", what);
    if (!o)
        softgpu_texture_fail(site, "%#llx is no %s object",
                             (unsigned long long)handle, what);
    if (o->array && !o->array->alive)
        softgpu_texture_fail(site, "the array of the %s object was freed",
                             what);
    if (!fits(shape, o->shape))
        softgpu_texture_fail(site, "the %s object is %s, the function is for "
                             "%s", what, shapes[o->shape], shapes[shape]);
    return o;
}

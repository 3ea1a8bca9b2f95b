/* SPDX-License-Identifier: MIT */
/** @file
 *  Mipmapped arrays: levels of halved dimensions in one allocation.
 */
#include <stdlib.h>

#include "common/softgpu/host/array.h"
#include "common/softgpu/host/call.h"
#include "common/softgpu/host/memory.h"
#include "common/softgpu/host/stream.h"

static struct cudaMipmappedArray *all_mipmaps;

/* The size of a level, at least 1 where the first level has any. */
static size_t halved(size_t size, unsigned level)
{
    return size && !(size >> level) ? 1 : size >> level;
}

/* Size of a level; the layers and faces stay. */
static struct cudaExtent level_extent(struct cudaExtent e, unsigned flags,
                                      unsigned level)
{
    const int is_3d = !(flags & (cudaArrayLayered | cudaArrayCubemap));
    return (struct cudaExtent){halved(e.width, level), halved(e.height, level),
                               is_3d ? halved(e.depth, level) : e.depth};
}

/* 1 + floor(log2(the largest dimension)). */
static unsigned most_levels(struct cudaExtent e, unsigned flags)
{
    size_t most = e.width > e.height ? e.width : e.height;
    unsigned levels = 1;
    if (!(flags & (cudaArrayLayered | cudaArrayCubemap)) && e.depth > most)
        most = e.depth;
    for (; most > 1; most /= 2)
        levels++;
    return levels;
}

/* Make the arrays of all levels.  @return their bytes, 0 without memory */
static size_t make_levels(struct cudaMipmappedArray *m,
                          const struct cudaChannelFormatDesc *desc,
                          struct cudaExtent extent, unsigned flags)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < m->count; i++) {
        struct cudaArray *a =
            softgpu_array_new(desc, level_extent(extent, flags, i), flags);
        if (!a)
            return 0;
        a->mipmap = m;
        m->levels[i] = a;
        bytes += (softgpu_array_bytes(a) + 511) / 512 * 512;
    }
    return bytes;
}

/* All levels lie in one allocation, each aligned to 512 bytes. */
static void place_levels(struct cudaMipmappedArray *m)
{
    char *at = m->memory->ptr;
    for (unsigned i = 0; i < m->count; i++) {
        m->levels[i]->image.base = at;
        at += (softgpu_array_bytes(m->levels[i]) + 511) / 512 * 512;
    }
}

/* Handles of the levels become invalid with the mipmap. */
static void end_levels(struct cudaMipmappedArray *m)
{
    m->alive = 0;
    for (unsigned i = 0; i < m->count && m->levels[i]; i++)
        m->levels[i]->alive = 0;
}

/* Too many levels are cut to those that there are. */
static cudaError_t malloc_mipmap(cudaMipmappedArray_t *to,
                                 const struct cudaChannelFormatDesc *desc,
                                 struct cudaExtent extent, unsigned levels,
                                 unsigned flags)
{
    if (!to || !levels)
        return cudaErrorInvalidValue;
    *to = NULL;
    cudaError_t error = softgpu_check_array(desc, extent, flags);
    if (error)
        return error;
    struct cudaMipmappedArray *m = calloc(1, sizeof *m);
    if (!m)
        return cudaErrorMemoryAllocation;
    const unsigned most = most_levels(extent, flags);
    m->count = levels < most ? levels : most;
    m->alive = 1;
    m->next = all_mipmaps;
    all_mipmaps = m;
    const size_t bytes = make_levels(m, desc, extent, flags);
    error = bytes ? softgpu_alloc_device_memory(softgpu_device(), bytes,
                                                &m->memory)
                  : cudaErrorMemoryAllocation;
    if (error) {
        end_levels(m);
        return error;
    }
    place_levels(m);
    *to = m;
    return cudaSuccess;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent,
                                     unsigned int levels, unsigned int flags)
{
    SOFTGPU_CALL(malloc_mipmap(array, desc, extent, levels, flags));
}

struct cudaMipmappedArray *softgpu_mipmap(cudaMipmappedArray_const_t handle)
{
    struct cudaMipmappedArray *m = all_mipmaps;
    while (m && m != handle)
        m = m->next;
    return m && m->alive && m->levels[0]->alive ? m : NULL;
}

/* A level is an array of its own. */
static cudaError_t get_level(cudaArray_t *to, cudaMipmappedArray_const_t handle,
                             unsigned level)
{
    const struct cudaMipmappedArray *m = softgpu_mipmap(handle);
    if (!to || !m || level >= m->count)
        return cudaErrorInvalidValue;
    *to = m->levels[level];
    return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array,
                                       cudaMipmappedArray_const_t mipmap,
                                       unsigned int level)
{
    SOFTGPU_CALL(get_level(array, mipmap, level));
}

/* Kernels that still use it end first. */
static cudaError_t free_mipmap(cudaMipmappedArray_t handle)
{
    if (!handle)
        return cudaSuccess;
    struct cudaMipmappedArray *m = softgpu_mipmap(handle);
    if (!m)
        return cudaErrorInvalidValue;
    const cudaError_t error = softgpu_wait_device(NULL);
    if (m->alive)
        softgpu_free_allocation(m->memory);
    end_levels(m);
    return error;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    SOFTGPU_CALL(free_mipmap(array));
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  Texture references: each binding makes a texture object, which kernels find
 *  in the reference.  Launches that were queued before a binding read the one
 *  before, so they run first.
 */
#include <stddef.h>

#include "common/softgpu/host/call.h"
#include "common/softgpu/host/memory.h"
#include "softgpu/texture_abi.h"

/* CUDA's calls take constant references. */
static struct textureReference *writable(const struct textureReference *t)
{
    return (struct textureReference *)(uintptr_t)t;
}

/* End the binding; the call waits for the work that may read it. */
static cudaError_t unbind(struct textureReference *t)
{
    const cudaError_t error = cudaDestroyTextureObject(t->softgpu_object);
    t->softgpu_object = 0;
    return error;
}

static cudaError_t bind(const struct textureReference *texture,
                        const struct cudaResourceDesc *resource)
{
    struct textureReference *t = writable(texture);
    if (!t)
        return softgpu_record_error(cudaErrorInvalidTexture);
    const cudaError_t error = unbind(t);
    if (error)
        return error;
    const struct cudaTextureDesc desc = {
        .addressMode = {t->addressMode[0], t->addressMode[1],
                        t->addressMode[2]},
        .filterMode = t->filterMode, .readMode = t->softgpu_mode,
        .sRGB = t->sRGB, .normalizedCoords = t->normalized,
        .maxAnisotropy = t->maxAnisotropy,
        .mipmapFilterMode = t->mipmapFilterMode,
        .mipmapLevelBias = t->mipmapLevelBias,
        .minMipmapLevelClamp = t->minMipmapLevelClamp,
        .maxMipmapLevelClamp = t->maxMipmapLevelClamp};
    return cudaCreateTextureObject(&t->softgpu_object, resource, &desc, NULL);
}

/* Bytes from p to the end of its allocation; 0: of none. */
static size_t bytes_from(const char *p)
{
    pthread_mutex_lock(&softgpu_lock);
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    const size_t bytes = a ? a->bytes - (size_t)(p - a->ptr) : 0;
    pthread_mutex_unlock(&softgpu_lock);
    return bytes;
}

cudaError_t cudaBindTexture(size_t *offset,
                            const struct textureReference *texture,
                            const void *ptr,
                            const struct cudaChannelFormatDesc *desc,
                            size_t bytes)
{
    const size_t most = bytes_from(ptr);
    if (!desc)
        return softgpu_record_error(cudaErrorInvalidValue);
    if (offset)
        *offset = 0;
    return bind(texture,
                &(struct cudaResourceDesc){
                    .resType = cudaResourceTypeLinear,
                    .res.linear = {(void *)(uintptr_t)ptr, *desc,
                                   bytes < most ? bytes : most}});
}

cudaError_t cudaBindTexture2D(size_t *offset,
                              const struct textureReference *texture,
                              const void *ptr,
                              const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch)
{
    if (!desc)
        return softgpu_record_error(cudaErrorInvalidValue);
    if (offset)
        *offset = 0;
    return bind(texture,
                &(struct cudaResourceDesc){
                    .resType = cudaResourceTypePitch2D,
                    .res.pitch2D = {(void *)(uintptr_t)ptr, *desc, width,
                                    height, pitch}});
}

/* The array has its own format; `desc` says it once more. */
cudaError_t cudaBindTextureToArray(const struct textureReference *texture,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    if (!desc)
        return softgpu_record_error(cudaErrorInvalidValue);
    return bind(texture, &(struct cudaResourceDesc){
                             .resType = cudaResourceTypeArray,
                             .res.array = {(cudaArray_t)(uintptr_t)array}});
}

cudaError_t
cudaBindTextureToMipmappedArray(const struct textureReference *texture,
                                cudaMipmappedArray_const_t array,
                                const struct cudaChannelFormatDesc *desc)
{
    if (!desc)
        return softgpu_record_error(cudaErrorInvalidValue);
    return bind(texture,
                &(struct cudaResourceDesc){
                    .resType = cudaResourceTypeMipmappedArray,
                    .res.mipmap = {(cudaMipmappedArray_t)(uintptr_t)array}});
}

cudaError_t cudaUnbindTexture(const struct textureReference *texture)
{
    return texture ? unbind(writable(texture))
                   : softgpu_record_error(cudaErrorInvalidTexture);
}

cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset,
                              const struct textureReference *texture)
{
    if (!offset || !texture)
        return softgpu_record_error(cudaErrorInvalidValue);
    if (!texture->softgpu_object)
        return softgpu_record_error(cudaErrorInvalidTextureBinding);
    *offset = 0;
    return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const struct textureReference **texture,
                                    const void *symbol)
{
    if (!texture || !symbol)
        return softgpu_record_error(cudaErrorInvalidTexture);
    *texture = symbol;
    return cudaSuccess;
}

uint64_t softgpu_texture_bound(const struct textureReference *texture)
{
    if (!texture->softgpu_object)
        softgpu_fail(cudaErrorInvalidTextureBinding,
                     "a texture reference is read that is not bound");
    return texture->softgpu_object;
}

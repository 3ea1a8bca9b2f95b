/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: arrays, texture objects, surface objects.  Part of
 *  cuda_runtime_api.h.
 *
 *  An array is device memory whose layout the program does not see; here its
 *  rows follow each other.  Offsets and widths are bytes in the calls of two
 *  dimensions, elements in cudaMemcpy3D().
 */
#ifndef SOFTGPU_API_ARRAY_H
#define SOFTGPU_API_ARRAY_H

#ifdef __cplusplus
extern "C" {
#endif

/** A format of its parts. */
struct cudaChannelFormatDesc cudaCreateChannelDesc(
    int x, int y, int z, int w, enum cudaChannelFormatKind f);
/** The format of an array. */
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                               cudaArray_const_t array);
/** Allocate an array of one dimension (height 0) or two. */
cudaError_t cudaMallocArray(cudaArray_t *array,
                            const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height SOFTGPU_DEFAULT(0),
                            unsigned int flags SOFTGPU_DEFAULT(0));
/** Allocate an array of up to three dimensions, or of layers. */
cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent,
                              unsigned int flags SOFTGPU_DEFAULT(0));
/** Free an array, or NULL.  @return cudaErrorInvalidValue for a level of a
 *  mipmapped array and for an array that is freed already */
cudaError_t cudaFreeArray(cudaArray_t array);
/** Allocate `levels` arrays; fewer, if the last would be smaller than an
 *  element. */
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent,
                                     unsigned int levels,
                                     unsigned int flags SOFTGPU_DEFAULT(0));
/** The array of a level; 0 is the largest. */
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array,
                                       cudaMipmappedArray_const_t mipmap,
                                       unsigned int level);
/** Free a mipmapped array and its levels, or NULL. */
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
/** Format, size and flags of an array; each pointer may be NULL. */
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
                             struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array);
/** Memory of an array. */
cudaError_t cudaArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *to, cudaArray_t array, int device);
/** Elements of the longest linear texture of a format. */
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *width, const struct cudaChannelFormatDesc *desc, int device);

/** Copy rows to an array. */
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset,
                                size_t hOffset, const void *src,
                                size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
/** cudaMemcpy2DToArray(), enqueued on a stream. */
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset,
                                     size_t hOffset, const void *src,
                                     size_t spitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy rows from an array. */
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch,
                                  cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  enum cudaMemcpyKind kind);
/** cudaMemcpy2DFromArray(), enqueued on a stream. */
cudaError_t cudaMemcpy2DFromArrayAsync(
    void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
    size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind,
    cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy rows between arrays. */
cudaError_t cudaMemcpy2DArrayToArray(
    cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
    cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width,
    size_t height,
    enum cudaMemcpyKind kind SOFTGPU_DEFAULT(cudaMemcpyDeviceToDevice));
/** Copy bytes to an array, row after row; deprecated by CUDA. */
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                              const void *src, size_t bytes,
                              enum cudaMemcpyKind kind);
/** cudaMemcpyToArray(), enqueued on a stream. */
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset,
                                   size_t hOffset, const void *src,
                                   size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy bytes from an array, row after row; deprecated by CUDA. */
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src,
                                size_t wOffset, size_t hOffset, size_t bytes,
                                enum cudaMemcpyKind kind);
/** cudaMemcpyFromArray(), enqueued on a stream. */
cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src,
                                     size_t wOffset, size_t hOffset,
                                     size_t bytes, enum cudaMemcpyKind kind,
                                     cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Copy bytes between arrays, row after row; deprecated by CUDA. */
cudaError_t cudaMemcpyArrayToArray(
    cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
    cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t bytes,
    enum cudaMemcpyKind kind SOFTGPU_DEFAULT(cudaMemcpyDeviceToDevice));

/** Make a texture object.
 *  @param view  must be NULL
 *  @return cudaErrorInvalidFilterSetting for linear filtering of integers,
 *      cudaErrorInvalidNormSetting for normalized reads of anything but
 *      integers of 8 and 16 bits, cudaErrorNotSupported for what
 *      texture_types.h calls not supported */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view);
/** Destroy a texture object, or 0.  A kernel that uses it then fails. */
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
/** The resource of a texture object. */
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *to,
                                             cudaTextureObject_t texture);
/** The description of a texture object. */
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *to,
                                            cudaTextureObject_t texture);
/** Bind a texture reference to linear memory, after the work that is queued.
 *  CUDA 12 has no texture references.
 *  @param offset  out: 0; may be NULL
 *  @param desc    format of an element
 *  @param bytes   more than the allocation has: as many as it has */
cudaError_t cudaBindTexture(size_t *offset,
                            const struct textureReference *texture,
                            const void *ptr,
                            const struct cudaChannelFormatDesc *desc,
                            size_t bytes SOFTGPU_DEFAULT(0xffffffffu));
/** Bind it to rows of memory, `pitch` bytes apart. */
cudaError_t cudaBindTexture2D(size_t *offset,
                              const struct textureReference *texture,
                              const void *ptr,
                              const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch);
/** Bind it to an array. */
cudaError_t cudaBindTextureToArray(const struct textureReference *texture,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
/** Bind it to a mipmapped array. */
cudaError_t
cudaBindTextureToMipmappedArray(const struct textureReference *texture,
                                cudaMipmappedArray_const_t array,
                                const struct cudaChannelFormatDesc *desc);
/** Bind it to nothing; a kernel that reads it then fails. */
cudaError_t cudaUnbindTexture(const struct textureReference *texture);
/** The offset of cudaBindTexture(): 0.
 *  @return cudaErrorInvalidTextureBinding if it is not bound */
cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset,
                              const struct textureReference *texture);
/** The reference of a texture's address. */
cudaError_t cudaGetTextureReference(const struct textureReference **texture,
                                    const void *symbol);

/** Make a surface object of an array with cudaArraySurfaceLoadStore. */
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource);
/** Destroy a surface object, or 0.  A kernel that uses it then fails. */
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
/** The resource of a surface object. */
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *to,
                                             cudaSurfaceObject_t surface);

#ifdef __cplusplus
}
#endif

#endif

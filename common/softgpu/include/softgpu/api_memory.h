/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: allocation, and attributes of pointers.  Part of
 *  cuda_runtime_api.h.
 *
 *  New device memory is zero (0xCB with SOFTGPU_POISON=1); reused device memory
 *  has the old bytes.  Freeing runs all enqueued work first.
 */
#ifndef SOFTGPU_API_MEMORY_H
#define SOFTGPU_API_MEMORY_H

#ifdef __cplusplus
extern "C" {
#endif

/** Allocate device memory, aligned to 256 bytes; 0 bytes give NULL.
 *  @return cudaErrorMemoryAllocation if the memory of the card or of this
 *      machine is exceeded */
cudaError_t cudaMalloc(void **ptr, size_t bytes);
/** Free memory of cudaMalloc(), cudaMallocManaged() or cudaMallocAsync(), or
 *  NULL.
 *  @return cudaErrorInvalidValue for another pointer, for one within an
 *      allocation, and for memory that is freed already */
cudaError_t cudaFree(void *ptr);
/** Allocate pinned host memory. */
cudaError_t cudaMallocHost(void **ptr, size_t bytes);
/** Allocate pinned host memory with cudaHostAlloc... flags. */
cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags);
/** Free pinned memory. */
cudaError_t cudaFreeHost(void *ptr);
/** Pin host memory of the program.  @return
 *  cudaErrorHostMemoryAlreadyRegistered if a part is pinned already */
cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags);
/** Unpin, by the registered pointer.  @return cudaErrorHostMemoryNotRegistered
 *  for another one */
cudaError_t cudaHostUnregister(void *ptr);
/** Device address of pinned memory: the same address; flags must be 0. */
cudaError_t cudaHostGetDevicePointer(void **device, void *host,
                                     unsigned int flags);
/** Flags of pinned memory. */
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
/** Allocate managed memory.
 *  @param flags  cudaMemAttachGlobal or cudaMemAttachHost */
cudaError_t cudaMallocManaged(void **ptr, size_t bytes,
                              unsigned int flags
                                  SOFTGPU_DEFAULT(cudaMemAttachGlobal));
/** Allocate rows of `width` bytes, *pitch bytes apart (a multiple of 512). */
cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width,
                            size_t height);
/** Allocate a box of such rows. */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent);
/** Free and total bytes of the current device. */
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
/** Memory space and device of a pointer; pageable host memory is
 *  cudaMemoryTypeUnregistered. */
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *ptr);

/** Enqueue the migration of managed memory to a device or to cudaCpuDeviceId.
 *  @return cudaErrorInvalidValue for other memory */
cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device,
                                 cudaStream_t stream SOFTGPU_DEFAULT(0));
/** The same, with a location; flags must be 0. */
cudaError_t cudaMemPrefetchAsync_v2(const void *ptr, size_t bytes,
                                    struct cudaMemLocation location,
                                    unsigned int flags,
                                    cudaStream_t stream SOFTGPU_DEFAULT(0));
/** Set a hint for managed memory; see cudaMemRangeGetAttribute(). */
cudaError_t cudaMemAdvise(const void *ptr, size_t bytes,
                          enum cudaMemoryAdvise advice, int device);
/** The same, with a location. */
cudaError_t cudaMemAdvise_v2(const void *ptr, size_t bytes,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location);
/** Get the hints of managed memory: `dataSize` bytes of ints are written. */
cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                     enum cudaMemRangeAttribute attribute,
                                     const void *ptr, size_t bytes);
/** Attach managed memory to a stream; checked, no effect. */
cudaError_t cudaStreamAttachMemAsync(
    cudaStream_t stream, void *ptr, size_t bytes SOFTGPU_DEFAULT(0),
    unsigned int flags SOFTGPU_DEFAULT(cudaMemAttachSingle));

/** Address of the memory of a device variable.  Called by the C++ templates of
 *  cuda_runtime.h.
 *  @param size  of the variable, 0 if unknown */
cudaError_t softgpu_symbol_address(void **ptr, const void *symbol, size_t size);
/** Bytes of the device variable at an address. */
cudaError_t softgpu_symbol_size(size_t *bytes, const void *symbol, size_t size);

#ifdef __cplusplus
}
#endif
#endif

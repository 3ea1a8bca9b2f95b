/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: allocation, and what is known of a pointer.  Part of
 *  cuda_runtime_api.h.
 *
 *  Device memory starts as zero (0xCB with SOFTGPU_POISON=1) where the system
 *  gave it fresh, and as what was left there where it was used before.
 *  Freeing waits for all queued work.
 */
#ifndef SOFTGPU_API_MEMORY_H
#define SOFTGPU_API_MEMORY_H

#ifdef __cplusplus
extern "C" {
#endif

/** Device memory, 256-byte aligned; 0 bytes give NULL.
 *  cudaErrorMemoryAllocation beyond the card's or this machine's memory. */
cudaError_t cudaMalloc(void **ptr, size_t bytes);
/** Give back what cudaMalloc, cudaMallocManaged or cudaMallocAsync gave; NULL
 *  is fine; anything else, a pointer into the middle or freed before too, is
 *  cudaErrorInvalidValue. */
cudaError_t cudaFree(void *ptr);
/** Pinned host memory. */
cudaError_t cudaMallocHost(void **ptr, size_t bytes);
/** Pinned host memory with cudaHostAlloc... flags. */
cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags);
/** Give pinned memory back. */
cudaError_t cudaFreeHost(void *ptr);
/** Pin memory of the program's own.
 *  cudaErrorHostMemoryAlreadyRegistered where a byte of it is. */
cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags);
/** Unpin; by the pointer that was registered.
 *  cudaErrorHostMemoryNotRegistered. */
cudaError_t cudaHostUnregister(void *ptr);
/** What a kernel calls pinned memory: the same address.  flags 0. */
cudaError_t cudaHostGetDevicePointer(void **device, void *host,
                                     unsigned int flags);
/** The flags pinned memory was made with. */
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
/** Memory for both sides; flags cudaMemAttachGlobal or ...Host. */
cudaError_t cudaMallocManaged(void **ptr, size_t bytes,
                              unsigned int flags SOFTGPU_DEFAULT(
                                  cudaMemAttachGlobal));
/** Rows of width bytes, *pitch bytes apart (a multiple of 512). */
cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width,
                            size_t height);
/** A box of such rows. */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr,
                         struct cudaExtent extent);
/** Bytes free and in all on the current device. */
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
/** Whose memory it is; plain host memory is ...Unregistered. */
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *ptr);

/** Queue moving managed memory to a device or to cudaCpuDeviceId.
 *  cudaErrorInvalidValue outside managed memory. */
cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device,
                                 cudaStream_t stream SOFTGPU_DEFAULT(0));
/** The same, with a place; flags 0. */
cudaError_t cudaMemPrefetchAsync_v2(const void *ptr, size_t bytes,
                                    struct cudaMemLocation location,
                                    unsigned int flags,
                                    cudaStream_t stream SOFTGPU_DEFAULT(0));
/** A hint on managed memory: kept for cudaMemRangeGetAttribute. */
cudaError_t cudaMemAdvise(const void *ptr, size_t bytes,
                          enum cudaMemoryAdvise advice, int device);
/** The same, with a place. */
cudaError_t cudaMemAdvise_v2(const void *ptr, size_t bytes,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location);
/** The hints on managed memory: dataSize bytes of ints are written. */
cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                     enum cudaMemRangeAttribute attribute,
                                     const void *ptr, size_t bytes);
/** Tie managed memory to a stream: checked, without effect. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr,
                                     size_t bytes SOFTGPU_DEFAULT(0),
                                     unsigned int flags SOFTGPU_DEFAULT(
                                         cudaMemAttachSingle));

/** The memory of a __device__ or __constant__ variable, by its own address,
 *  `size` bytes, or 0 where the caller cannot tell.  Called by the C++ templates of cuda_runtime.h. */
cudaError_t softgpu_symbol_address(void **ptr, const void *symbol,
                                   size_t size);
/** Bytes of the variable at this address. */
cudaError_t softgpu_symbol_size(size_t *bytes, const void *symbol,
                                size_t size);

#ifdef __cplusplus
}
#endif
#endif

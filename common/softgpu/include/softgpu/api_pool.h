/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: stream-ordered memory allocation.  Part of cuda_runtime_api.h.
 */
#ifndef SOFTGPU_API_POOL_H
#define SOFTGPU_API_POOL_H

#ifdef __cplusplus
extern "C" {
#endif

/** Allocate memory of the stream's device from its current pool. */
cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream);
/** Allocate from a pool. */
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes,
                                    cudaMemPool_t pool, cudaStream_t stream);
/** Enqueue freeing of memory; later uses are errors, even before the stream
 *  reaches the call.  @return cudaErrorInvalidValue as cudaFree() */
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream);
/** Create a pool on a device; of pinned memory, not shared with other
 *  processes. */
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *properties);
/** Destroy a pool other than the default one; its allocations remain valid
 *  until they are freed. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
/** The default pool of a device. */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
/** The pool that cudaMallocAsync() uses. */
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
/** Set that pool; it must be of the same device. */
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
/** Set an attribute from *value, an int or uint64_t; the high watermarks can
 *  only be set to 0. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute,
                                    void *value);
/** Get an attribute in *value. */
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute,
                                    void *value);
/** Release unused memory except for `keep` bytes. */
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
/** Set the access of devices to the memory of a pool, by n descriptions. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *access,
                                 size_t n);
/** The access of a device. */
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t pool,
                                 struct cudaMemLocation *location);

#ifdef __cplusplus
}
#endif
#endif

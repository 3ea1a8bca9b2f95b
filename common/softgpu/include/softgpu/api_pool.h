/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: memory in stream order.  Part of cuda_runtime_api.h.
 */
#ifndef SOFTGPU_API_POOL_H
#define SOFTGPU_API_POOL_H

#ifdef __cplusplus
extern "C" {
#endif

/** Device memory of the stream's device, from its current pool. */
cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream);
/** The same, from a pool. */
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes,
                                    cudaMemPool_t pool, cudaStream_t stream);
/** Queue giving it back; using it later is wrong, even before the stream gets
 *  there.  cudaErrorInvalidValue as cudaFree. */
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream);
/** Make a pool on a device; pinned memory, not shared. */
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *properties);
/** Destroy it; what it gave stays until freed.  Not the default pool. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
/** The pool a device has from the start. */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
/** The pool that cudaMallocAsync uses. */
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
/** Choose it; the pool must be that device's. */
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
/** Set an attribute from *value: int or uint64_t, as the attribute says.  The
 *  two highs can only be set to 0. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute,
                                    void *value);
/** Read an attribute into *value. */
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute,
                                    void *value);
/** Give back what is held unused, but `keep` bytes. */
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
/** Say which devices may use the pool's memory, n descriptions. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *access,
                                 size_t n);
/** Whether a device may. */
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t pool,
                                 struct cudaMemLocation *location);

#ifdef __cplusplus
}
#endif
#endif

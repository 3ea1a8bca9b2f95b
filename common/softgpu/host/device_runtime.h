/* SPDX-License-Identifier: MIT */
/** @file
 *  Copies and fills that a kernel queues: cudaMemcpyAsync() and
 *  cudaMemsetAsync() in device code.
 */
#ifndef SOFTGPU_DEVICE_RUNTIME_H
#define SOFTGPU_DEVICE_RUNTIME_H

#include "cuda_runtime_api.h"

/** Store a copy; it runs as a launch of the calling thread would.
 *  @param dst, src  device memory, bytes each
 *  @param site      return address of the program's call
 *  @return an error, which is also recorded */
cudaError_t softgpu_store_copy(void *dst, const void *src, size_t bytes,
                               cudaStream_t stream, const void *site);
/** The same for a fill with a byte. */
cudaError_t softgpu_store_fill(void *dst, int value, size_t bytes,
                               cudaStream_t stream, const void *site);

#endif

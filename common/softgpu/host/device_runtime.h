/* SPDX-License-Identifier: MIT */
/** @file
 *  Copies and fills that a kernel queues: cudaMemcpyAsync(),
 *  cudaMemsetAsync() and their 2D and 3D variants in device code.
 */
#ifndef SOFTGPU_DEVICE_RUNTIME_H
#define SOFTGPU_DEVICE_RUNTIME_H

#include "copy.h"

/** Store a copy; it runs as a launch of the calling thread would.
 *  @param name  of the call; static
 *  @param site  return address of the program's call
 *  @return an error, which is also recorded */
cudaError_t softgpu_store_copy(const char *name,
                               const struct softgpu_copy_request *request,
                               cudaStream_t stream, const void *site);
/** The same for a fill with a byte. */
cudaError_t softgpu_store_fill(const char *name,
                               const struct softgpu_fill_command *fill,
                               cudaStream_t stream, const void *site);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Memory pools (cudaMemPool_t) of the stream-ordered allocator.
 */
#ifndef SOFTGPU_POOL_H
#define SOFTGPU_POOL_H

#include "device.h"

/** Update the counters of the pool that an allocation is freed from, if any. */
void softgpu_pool_on_free(const struct softgpu_allocation *allocation);
/** Destroy the pools of a device. */
void softgpu_reset_pools(struct softgpu_device *device);

#endif

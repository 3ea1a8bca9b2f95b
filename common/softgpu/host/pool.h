/* SPDX-License-Identifier: MIT */
/** @file
 *  Pools of memory given out in stream order.
 */
#ifndef SOFTGPU_POOL_H
#define SOFTGPU_POOL_H

#include "device.h"

/** Count an allocation out of its pool, if it is of one. */
void softgpu_pool_gave_back(const struct softgpu_allocation *allocation);
/** Forget the pools of a device. */
void softgpu_forget_pools(struct softgpu_device *device);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  What is known of addresses, for copies, pools and later watchers.
 */
#ifndef SOFTGPU_MEMORY_H
#define SOFTGPU_MEMORY_H

#include "arena.h"
#include "cuda_runtime_api.h"
#include "device.h"

/** Where a range of bytes lies. */
enum softgpu_side {
    SOFTGPU_PLAIN,     /**< host memory the runtime knows nothing of */
    SOFTGPU_HOST_SIDE, /**< pinned or registered */
    SOFTGPU_DEVICE_SIDE,
    SOFTGPU_BOTH_SIDES, /**< managed */
    SOFTGPU_NOWHERE     /**< NULL, freed, or past an allocation's end */
};

/** The allocation that holds this byte, of any kind; NULL for plain memory,
 *  freed memory, red zones. */
struct softgpu_allocation *softgpu_find_allocation(const void *p);
/** Where `bytes` bytes from p lie, as a whole. */
enum softgpu_side softgpu_side(const void *p, size_t bytes);
/** Device memory, filled if SOFTGPU_POISON says so.  May run queued work to
 *  make room. */
cudaError_t softgpu_take_device(struct softgpu_device *device, size_t bytes,
                                struct softgpu_allocation **allocation);
/** Give any allocation back to where it came from. */
void softgpu_give(struct softgpu_allocation *allocation);
/** Forget all of a device's memory, and pinned and managed made for it. */
void softgpu_forget_memory(struct softgpu_device *device);
/** 1 if p lies where allocations are made, in one or not. */
int softgpu_in_arena(const void *p);
/** Remember a range that is not of an arena as an allocation. */
cudaError_t softgpu_remember(const void *ptr, size_t bytes,
                             enum softgpu_kind kind, unsigned flags);
/** Check that the program may free p: it is the begin of an allocation of one
 *  of two kinds.  @return it, or NULL */
struct softgpu_allocation *softgpu_to_free(const void *p,
                                           enum softgpu_kind one,
                                           enum softgpu_kind other);
/** Let device memory be used: while work runs and while it is managed. */
void softgpu_memory_open(void);
/** Let the host's access to device memory fault, as it would with a card;
 *  unless work runs, or so much is in use that this would take long. */
void softgpu_memory_close(void);
/** The same while a stream calls a function of the host. */
void softgpu_memory_shut(void);
/** Bytes that the device can still give. */
size_t softgpu_free_bytes(const struct softgpu_device *device);

#endif

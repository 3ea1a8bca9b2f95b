/* SPDX-License-Identifier: MIT */
/** @file
 *  Allocations of all kinds, and lookup of addresses.
 */
#ifndef SOFTGPU_MEMORY_H
#define SOFTGPU_MEMORY_H

#include "arena.h"
#include "cuda_runtime_api.h"
#include "device.h"

/** The type of the memory of a range of bytes. */
enum softgpu_memory_type {
    SOFTGPU_PAGEABLE,     /**< host memory that was not registered */
    SOFTGPU_PAGE_LOCKED,  /**< pinned or registered host memory */
    SOFTGPU_DEVICE_ONLY,  /**< device memory */
    SOFTGPU_UNIFIED,      /**< managed memory */
    SOFTGPU_INVALID_RANGE /**< NULL, freed, or past an allocation's end */
};

/** The allocation of any kind that contains this byte; NULL for pageable
 *  memory, freed memory and red zones. */
struct softgpu_allocation *softgpu_find_allocation(const void *p);
/** The memory type of the whole range of `bytes` bytes from p. */
enum softgpu_memory_type softgpu_memory_type(const void *p, size_t bytes);
/** Allocate device memory; filled with a pattern under SOFTGPU_POISON.  Without
 *  memory, queued commands run first, since they may free some. */
cudaError_t softgpu_alloc_device_memory(struct softgpu_device *device,
                                        size_t bytes,
                                        struct softgpu_allocation **allocation);
/** Free an allocation of an arena. */
void softgpu_free_allocation(struct softgpu_allocation *allocation);
/** Free all memory of a device, and pinned and managed memory made for it. */
void softgpu_reset_memory(struct softgpu_device *device);
/** 1 if p lies in the address range of an arena. */
int softgpu_in_arena(const void *p);
/** Register a range outside the arenas as an allocation. */
cudaError_t softgpu_register_range(const void *ptr, size_t bytes,
                                   enum softgpu_kind kind, unsigned flags);
/** The allocation that starts at p, is of one of two kinds and may be freed.
 *  @return NULL if there is none */
struct softgpu_allocation *softgpu_find_freeable(const void *p,
                                                 enum softgpu_kind one,
                                                 enum softgpu_kind other);
/** In a device process: does the memory at p belong to the host process? */
int softgpu_is_host_side(const void *p);
/** Bytes that SOFTGPU_HOST_MEMORY allows, or else that were available on this
 *  machine at the first call, less a part for the program itself: the limit of
 *  all arenas together. */
size_t softgpu_usable_host_memory(void);
/** Does the program have memory where a range of bytes ends?  A wrong number of
 *  bytes ends somewhere else, as one that was computed in 32 bits does.
 *  @param bytes  at least 1
 *  @return 1 or 0 */
int softgpu_ends_in_host_memory(const void *p, size_t bytes);
/** Most bytes of a device's memory. */
size_t softgpu_device_limit(void);
/** The arena of pinned memory. */
struct softgpu_arena *softgpu_pinned_arena(void);
/** The arena of managed memory. */
struct softgpu_arena *softgpu_managed_arena(void);
/** Registered host memory, and device variables. */
const struct softgpu_table *softgpu_registered_ranges(void);
/** Bytes of device memory that can still be allocated. */
size_t softgpu_free_bytes(const struct softgpu_device *device);

#endif

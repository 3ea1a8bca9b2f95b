/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared memory of resident blocks, between fences: pages that nobody may
 *  touch.  What runs out of it stops there and not in somebody else's memory.
 */
#ifndef SOFTGPU_FENCE_H
#define SOFTGPU_FENCE_H

#include <stdbool.h>
#include <stddef.h>

struct softgpu_block;

/** Give the block at least `bytes` of shared memory.  They end where a fence
 *  of 1 MiB begins, but for less than 1,024 bytes.
 *  @return false when there is no memory */
bool softgpu_shared_give(struct softgpu_block *b, size_t bytes);

/** How many bytes past the end of the block's shared memory an address lies
 *  (1: the first); below 0: before its begin; 0: neither, or nobody knows. */
long softgpu_shared_beside(const struct softgpu_block *b, const void *address);

#endif

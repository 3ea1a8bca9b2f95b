/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared memory of resident blocks, between guard pages: an access that runs
 *  over either end faults there and does not reach other memory.
 */
#ifndef SOFTGPU_SHARED_MEMORY_H
#define SOFTGPU_SHARED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct softgpu_block;

/** Map at least `bytes` of shared memory for the block.  Their end is less
 *  than 1,024 bytes before 1 MiB of guard pages.
 *  @return false without memory */
bool softgpu_map_shared_memory(struct softgpu_block *b, size_t bytes);

/** Distance of an address from the block's shared memory in bytes.
 *  @return above 0: past its end (1: the first byte); below 0: before its
 *          start; 0: inside, or too far from it to tell */
long softgpu_shared_out_of_bounds(const struct softgpu_block *b,
                                  const void *address);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Occupancy: how many blocks of a kernel are resident on an SM of the card.
 */
#ifndef SOFTGPU_OCCUPANCY_H
#define SOFTGPU_OCCUPANCY_H

#include "card.h"

/** The resources of a block. */
struct softgpu_block_resources {
    int threads;
    int registers; /**< per thread */
    size_t shared; /**< bytes, static and dynamic */
};

/** The resource that limits the resident blocks of an SM. */
enum occupancy_limit { BY_THREADS, BY_BLOCKS, BY_REGISTERS, BY_SHARED };

/** Resident blocks per SM: the minimum that threads, blocks, registers and
 *  shared memory allow; 0 if not even one block fits. */
int softgpu_blocks_per_sm(const struct softgpu_card *card,
                          const struct softgpu_block_resources *needs);
/** The same, with the first of the four resources that limits it.
 *  @param[out] limit  written also when no block fits */
int softgpu_occupancy(const struct softgpu_card *card,
                      const struct softgpu_block_resources *needs,
                      enum occupancy_limit *limit);
/** Maximum dynamic shared memory per block if `blocks` blocks with `fixed`
 *  bytes of static shared memory are to be resident. */
size_t softgpu_max_dynamic_shared(const struct softgpu_card *card, int blocks,
                                  size_t fixed);
/** The smallest carveout in bytes for `blocks` blocks with `shared` bytes of
 *  shared memory each; the rest of card->l1_bytes is L1 cache. */
uint32_t softgpu_carveout(const struct softgpu_card *card, int blocks,
                          size_t shared);

#endif

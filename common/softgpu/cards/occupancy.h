/* SPDX-License-Identifier: MIT */
/** @file
 *  How many blocks of a kernel an SM of the card holds.
 */
#ifndef SOFTGPU_OCCUPANCY_H
#define SOFTGPU_OCCUPANCY_H

#include "card.h"

/** What a block needs. */
struct softgpu_block_needs {
    int threads;
    int registers; /**< a thread */
    size_t shared; /**< bytes, static and dynamic */
};

/** What limits how many blocks an SM holds. */
enum occupancy_limit { BY_THREADS, BY_BLOCKS, BY_REGISTERS, BY_SHARED };

/** Blocks that fit an SM: the least that threads, blocks, registers and
 *  shared memory allow; 0 if a single one does not fit. */
int softgpu_blocks_per_sm(const struct softgpu_card *card,
                          const struct softgpu_block_needs *needs);
/** The same; *limit is the first of the four that allows no more.
 *  @param[out] limit written also when no block fits */
int softgpu_fit(const struct softgpu_card *card,
                const struct softgpu_block_needs *needs,
                enum occupancy_limit *limit);
/** Dynamic bytes each of `blocks` blocks on an SM may have beside `fixed`. */
size_t softgpu_dynamic_room(const struct softgpu_card *card, int blocks,
                            size_t fixed);
/** Bytes of the smallest carve-out that holds `blocks` blocks of such shared
 *  memory; what is left of card->l1_bytes caches. */
uint32_t softgpu_carveout(const struct softgpu_card *card, int blocks,
                          size_t shared);

#endif

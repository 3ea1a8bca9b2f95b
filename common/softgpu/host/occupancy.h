/* SPDX-License-Identifier: MIT */
/** @file
 *  How many blocks of a kernel an SM of the card holds.
 */
#ifndef SOFTGPU_OCCUPANCY_H
#define SOFTGPU_OCCUPANCY_H

#include "../cards/card.h"

/** What a block needs. */
struct softgpu_block_needs {
    int threads;
    int registers; /**< a thread */
    size_t shared; /**< bytes, static and dynamic */
};

/** Blocks that fit an SM: the least that threads, blocks, registers and
 *  shared memory allow; 0 if a single one does not fit. */
int softgpu_blocks_per_sm(const struct softgpu_card *card,
                          const struct softgpu_block_needs *needs);
/** Dynamic bytes each of `blocks` blocks on an SM may have beside `fixed`. */
size_t softgpu_dynamic_room(const struct softgpu_card *card, int blocks,
                            size_t fixed);

#endif

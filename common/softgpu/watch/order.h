/* SPDX-License-Identifier: MIT */
/** @file
 *  What orders blocks: a launch, a grid barrier, and the hand-over by a fence
 *  and an atomic (or volatile) flag.
 *
 *  A block that writes, fences, and then changes a word atomically *publishes*
 *  there all it did before the fence.  A block that reads that word atomically
 *  afterwards *knows* of it.  Hand-over through two words in turn, by way of a
 *  third block, is not followed.
 */
#ifndef SOFTGPU_ORDER_WATCH_H
#define SOFTGPU_ORDER_WATCH_H

#include "watch.h"

/** A grid begins: give its blocks numbers. */
void order_begin_grid(const struct run *run);
/** It has ended: forget what was published. */
void order_end_grid(const struct run *run);
/** The number of the launch's first block, for the block's own. */
uint32_t order_base(void);
/** The block's number for global memory: rises with each grid barrier. */
uint32_t order_serial(const struct watch_block *block);
/** All accesses by smaller numbers are ordered before. */
uint32_t order_first(const struct watch_block *block);

/** The block touches a word of global memory atomically: it learns what was
 *  published there, and, when it writes, publishes what it fenced. */
void order_touch(struct watch_block *block, uintptr_t address, int writes);
/** Free what a block had acquired. */
void order_forget(struct acquired *acquired);
/** Does the block know of what the other one did, up to that access? */
int order_knows(const struct watch_block *block, const struct party *other);

#endif

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
/** The number of the running launch. */
extern uint32_t order_base;
/** Number of the launch, and of the time since its last grid barrier, that
 *  the running block is in: what is remembered of device memory with another
 *  number is ordered before. */
static inline uint32_t order_tag(const struct watch_block *block)
{
    const struct run *run = block->block->worker->run;

    return block->tag ? block->tag
                      : order_base + atomic_load_explicit(
                            &run->grid_epoch, memory_order_relaxed);
}
/** The block begins: where no barrier of the grid can be, its tag stays. */
static inline void order_begin_block(struct watch_block *block)
{
    const struct run *run = block->block->worker->run;

    block->tag = run->grid->cooperative ? 0 : order_base;
}
/** The running block's threads are all ordered here: a barrier. */
void order_interval(struct watch_block *block);
/** A cuda::barrier hands over. */
void order_by_object(enum softgpu_ordering how, const volatile void *object,
                     uint64_t phase);

/** The block touches a word of global memory atomically: it learns what was
 *  published there, and, when it writes, publishes what it fenced. */
void order_touch(struct watch_block *block, uintptr_t address, int writes);
/** Free what a block had acquired. */
void order_forget(struct acquired *acquired);
/** Does the block know of what the other one did, up to that access? */
int order_knows(const struct watch_block *block, const struct seen *other);
/** The block made a fence. */
void order_fence(struct watch_block *block);
/** Was the write that a thread of the block now reads atomically made after
 *  a fence?  Then that hands over within the block. */
int order_hands_over(const struct watch_block *block,
                     const struct seen *writer);
/** The load that was announced last has been made: learn what it saw. */
void order_settle(void);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  The happens-before order within a block, where no barrier of all its threads
 *  makes it: flags with fences, a cuda::barrier, numbered barriers.
 *
 *  The trick: watch_block.sequence counts the releases of all threads, so that
 *  one number tells how much of a warp another one knows: its accesses with a
 *  lower number (access_record.sequence).  Each warp has such a number for each
 *  other: a vector clock.  A release leaves the warp's clock at the flag or at
 *  the barrier's phase; an acquire takes the larger numbers from there.
 *
 *  Lanes of a warp count as one thread, and flags whose addresses share a place
 *  in a short table count as one flag.  So a race may be missed; none is
 *  reported of accesses that are ordered.
 */
#ifndef SOFTGPU_WATCH_BLOCK_ORDER_H
#define SOFTGPU_WATCH_BLOCK_ORDER_H

#include "watch.h"

/** Why two accesses of a block are not ordered. */
enum order_gap {
    GAP_NONE,     /**< they are, or this cannot tell */
    GAP_ANY,      /**< neither takes part in what orders the other */
    GAP_FENCE,    /**< no fence follows the first one */
    GAP_ARRIVAL,  /**< the first one stands after its warp's arrival at a
                       barrier, and not after the wait */
    GAP_NO_FENCE, /**< a flag precedes the second one, and no fence does */
    GAP_NO_WAIT   /**< the second one stands before its warp's wait for a
                       barrier at which it has arrived */
};

/** Make the clocks of a block's state.  @return NULL without memory */
struct block_order *block_order_new(void);
/** A block begins: none of its warps has released or acquired anything. */
void block_order_begin(struct watch_block *block);

/** An interval has begun: all threads are ordered. */
void block_order_all(struct watch_block *block);
/** An interval has begun that orders only the threads which take part. */
void block_order_some(struct watch_block *block);

/** The running thread executes a fence: its later writes of flags release; what
 *  it has read from flags is acquired.  `sequence` counts the fence.
 *  @param flags  enum fence_flags */
void block_order_fence(struct watch_block *block, uint32_t flags);
/** The running thread reads or writes a flag: an atomic or volatile access. */
void block_order_flag(const struct access *access);
/** It arrives at a phase of a barrier, or has waited for it.  `sequence` counts
 *  the arrival. */
void block_order_arrive(struct watch_block *block, const volatile void *barrier,
                        uint64_t phase);
void block_order_wait(struct watch_block *block, const volatile void *barrier,
                      uint64_t phase);

/** Is the recorded access ordered before the current one, of another warp?
 *  @param old  a plain access of the block by one warp; else GAP_NONE */
enum order_gap block_order_gap(const struct watch_block *block,
                               const struct access_record *old,
                               const struct access_record *current);
/** Can block_order_gap() tell? */
int block_order_tells(const struct access_record *old,
                      const struct access_record *current);

#endif

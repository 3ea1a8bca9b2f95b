/* SPDX-License-Identifier: MIT */
/** @file
 *  The happens-before order between blocks, and through atomics in a block.
 *
 *  Blocks are ordered by a launch, by a grid barrier, and by release and
 *  acquire: a block that writes, executes a memory fence, and then writes a
 *  word atomically (or through a volatile pointer) *releases* into that word
 *  all it did before the fence.  A block that reads the word atomically
 *  afterwards *acquires* that.  Such a word is a *synchronization variable*.
 *  The order is not transitive: a release through two variables in turn, by
 *  way of a third block, is not followed.
 */
#ifndef SOFTGPU_WATCH_HAPPENS_BEFORE_H
#define SOFTGPU_WATCH_HAPPENS_BEFORE_H

#include "watch.h"

/** A grid begins. */
void hb_begin_grid(const struct run *run);
/** It has ended: all it did is ordered before the next launch. */
void hb_end_grid(const struct run *run);

/** Number of the running launch; a grid barrier counts like a launch. */
extern uint32_t hb_launch_number;

/** The tag of the records that the running block makes in device memory:
 *  launch number plus grid barriers so far.  Records with another tag are
 *  ordered before every access of the block. */
static inline uint32_t hb_tag(const struct watch_block *block)
{
    const struct run *run = block->block->worker->run;

    return block->tag ? block->tag
                      : hb_launch_number
                            + atomic_load_explicit(&run->grid_epoch,
                                                   memory_order_relaxed);
}

/** A block begins: without a cooperative launch its tag never changes. */
static inline void hb_begin_block(struct watch_block *block)
{
    const struct run *run = block->block->worker->run;

    block->tag = run->grid->cooperative ? 0 : hb_launch_number;
}

/** All threads of the running block are ordered here: a new interval. */
void hb_begin_interval(struct watch_block *block);

/** A cuda::barrier releases or acquires (hook `ordered`, core/hooks.h). */
void hb_cuda_barrier(enum softgpu_ordering how, const volatile void *object,
                     uint64_t phase);

/** The running thread is about to access a word of global memory atomically.
 *  The block acquires what is released there; with a write it releases what
 *  it did before its last fence. */
void hb_atomic_access(struct watch_block *block, uintptr_t address,
                      int writes);
/** The atomic load of hb_atomic_access() has been executed: acquire once more
 *  what other OS threads released in the meantime. */
void hb_finish_load(void);

/** Free the list of what a block has acquired. */
void hb_free_acquired(struct acquired *acquired);

/** Has the block acquired an access of another block?
 *  @param other  its record, which names that block */
int hb_happens_before(const struct watch_block *block,
                      const struct access_record *other);

/** The running thread executes a memory fence. */
void hb_fence(struct watch_block *block);

/** A thread of the block reads atomically what the writer wrote: did that
 *  release, because a fence of the interval precedes it? */
int hb_releases_in_block(const struct watch_block *block,
                         const struct access_record *writer);

#endif

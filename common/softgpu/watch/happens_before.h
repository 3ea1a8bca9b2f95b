/* SPDX-License-Identifier: MIT */
/** @file
 *  The happens-before order between blocks, and through atomics in a block:
 *  CUDA's memory model.
 *
 *  Blocks are ordered by a launch, by a grid barrier, and by release and
 *  acquire.  A thread that executes __threadfence() and then writes a word
 *  atomically (or through a volatile pointer) *releases* into that word what
 *  it did before the fence, and what a barrier of its block orders before the
 *  fence.  A thread that reads the word atomically and then executes
 *  __threadfence() *acquires* that, for itself and, after a barrier, for its
 *  block.  Such a word is a *synchronization variable*.  A memory order of
 *  cuda::atomic acts as the fence.  The order is transitive: a release passes
 *  on what its block has acquired.
 *
 *  A barrier of the block acts as the reader's fence, as in the example of the
 *  CUDA Programming Guide in which the last block adds partial sums; but not
 *  where the program states an order without acquire, as
 *  cuda::memory_order_relaxed.
 */
#ifndef SOFTGPU_WATCH_HAPPENS_BEFORE_H
#define SOFTGPU_WATCH_HAPPENS_BEFORE_H

#include "watch.h"

/** Make the order of a block's state.  @return NULL without memory */
struct order *hb_new_order(void);

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

/** A thread of the running grid has waited for other grids, which ran in
 *  between: what a resident block did before is ordered before them, and they
 *  before what it does next.  Called when hb_begin_grid() has been. */
void hb_resume_block(struct watch_block *block);

/** A block begins: it has acquired and released nothing. */
void hb_begin_block(struct watch_block *block);

/** All threads of the running block are ordered here: a new interval. */
void hb_begin_interval(struct watch_block *block);

/** The running thread has acquired what others of the block released: a new
 *  interval, which orders those alone (block_order.h). */
void hb_begin_acquired_interval(struct watch_block *block);

/** A cuda::barrier releases or acquires (hook `ordered`, core/hooks.h). */
void hb_cuda_barrier(unsigned how, const volatile void *object,
                     uint64_t phase);

/** The running thread is about to access a word of global memory atomically or
 *  through a volatile pointer: with a write it releases, with a read it may
 *  acquire. */
void hb_atomic_access(const struct access *access);
/** The atomic load of hb_atomic_access() has been executed: what other OS
 *  threads released in the meantime may be acquired, too. */
void hb_finish_load(void);

/** Has the running thread of the block acquired a recorded access?
 *  @param other  its record, which names another block */
int hb_happens_before(const struct watch_block *block,
                      const struct access_record *other);
/** Has a thread of this launch accessed device memory atomically or through a
 *  volatile pointer, as blocks that wait for others do? */
int hb_any_flag(void);
/** Has the block acquired anything? */
int hb_has_acquired(const struct watch_block *block);

/** A warp call of the running thread's warp is complete: what a lane fenced
 *  before it, another may release after it; what a lane read before it,
 *  another may acquire by a fence after it.  CUDA promises that of __syncwarp
 *  alone; of the others it holds on every card. */
void hb_warp_call(const struct watch_block *block);

/** The running thread executes a memory fence.
 *  @param flags  enum fence_flags */
void hb_fence(struct watch_block *block, uint32_t flags);

/** A thread of the block reads atomically what the writer wrote: did that
 *  release, because a fence of the interval precedes it? */
int hb_releases_in_block(const struct watch_block *block,
                         const struct access_record *writer);

#endif

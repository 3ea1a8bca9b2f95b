/* SPDX-License-Identifier: MIT */
/** @file
 *  The choice of the thread that runs next, in a block and among the blocks of
 *  a worker.  Private to the scheduler.
 */
#ifndef SOFTGPU_NEXT_BLOCK_H
#define SOFTGPU_NEXT_BLOCK_H

#include "block.h"

/** Block switches without progress, for each resident block, before one more
 *  block becomes resident.  A preemption counts as that many. */
enum { SPIN_TURNS = 64 };

/** The first runnable thread of the block's ring from `from` on, or NULL. */
static inline struct softgpu_thread *
find_runnable(const struct softgpu_block *b, struct softgpu_thread *from)
{
    struct softgpu_thread *t = from;
    do {
        if (is_runnable(t))
            return t;
        t = next_of(b, t);
    } while (t != from);
    return NULL;
}

/** The same; threads that have not started come first, in the order of the
 *  seed. */
static inline struct softgpu_thread *
find_thread_to_run(struct softgpu_block *b, struct softgpu_thread *from)
{
    if (b->started < b->count)
        return b->start_order[b->started];
    return find_runnable(b, from);
}

/** Leave the current block.
 *
 *  A signal preempts nothing meanwhile: CURRENT_THREAD is NULL.
 *
 *  @return a runnable thread of another block, resident or new, which becomes
 *          current, or NULL if the worker has no block left */
struct softgpu_thread *softgpu_leave_block(struct worker *w);
/** Choose a thread after one of block b was preempted while it polled a plain
 *  word: it most likely waits for a block that started earlier, on this worker
 *  or on another one, which may need the processor.
 *
 *  @return a thread of the oldest block, which becomes current; every few times
 *          NULL: the thread may wait for a block that has not run yet */
struct softgpu_thread *softgpu_poll_again(struct softgpu_block *b);

#endif

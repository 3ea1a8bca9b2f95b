/* SPDX-License-Identifier: MIT */
/** @file
 *  The switch from one thread of a block to another: inlined where a thread
 *  waits, because nothing else runs so often.
 */
#ifndef SOFTGPU_TURN_H
#define SOFTGPU_TURN_H

#include "block.h"
#include "fiber.h"

/** Threads take turns in order: fetch what the second after `t` will touch; a
 *  switch is over before the next one's would have come.  The array has that
 *  many entries more than the block has threads. */
static inline void prefetch_after(const struct softgpu_thread *t)
{
    const char *sp = t[THREADS_AHEAD].sp;
    __builtin_prefetch(sp);
    __builtin_prefetch(sp + 64);
}

/** Switch from the running thread to `to`, of the same block, runnable. */
static inline void *softgpu_go(struct softgpu_thread *me,
                               struct softgpu_thread *to)
{
    prefetch_after(to);
    CURRENT_THREAD = to;
    threadIdx = to->id;
    return softgpu_fiber_switch(&me->sp, to->sp, to->result, to->stack, false);
}

#endif

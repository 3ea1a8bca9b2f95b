/* SPDX-License-Identifier: MIT */
/** @file
 *  The switch from one thread of a block to another; inline, because it is
 *  the most frequent operation of the scheduler.
 */
#ifndef SOFTGPU_THREAD_SWITCH_H
#define SOFTGPU_THREAD_SWITCH_H

#include "block.h"
#include "fiber.h"

/** Prefetch the stack of the thread that runs two switches after `t`: a single
 *  switch is shorter than a cache miss.  The array of threads has
 *  PREFETCH_THREADS unused entries at its end. */
static inline void prefetch_after(const struct softgpu_thread *t)
{
    const size_t sp = (size_t)t[PREFETCH_THREADS].sp; /* 0: not started */
    __builtin_prefetch((const void *)sp);
    __builtin_prefetch((const void *)(sp + 64));
}

/** Switch from the running thread to `to`, a runnable thread of its block that
 *  has started.
 *  @return me->result, when the running thread is resumed */
static inline void *softgpu_switch_to_thread(struct softgpu_thread *me,
                                             struct softgpu_thread *to)
{
    prefetch_after(to);
    CURRENT_THREAD = to;
    threadIdx = to->id;
    return softgpu_fiber_switch(&me->sp, to->sp, to->result, to->stack, false);
}

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Grids in flight (concurrent kernels): they take turns.
 *
 *  A card runs kernels of several streams and devices at once, and they may
 *  wait for each other.  Here the threads of one grid run at a time.  Where a
 *  grid makes no progress, since all its threads wait for something outside it,
 *  another may begin beside it (softgpu_grid_is_stalled()).  From then on a
 *  grid whose threads only wait passes the turn to the next one in the queue:
 *  all its OS threads stop in the scheduler, each with its blocks, and go on
 *  when the turn comes back.
 *
 *  The first grid in flight has the pool of OS threads.  One that begins beside
 *  it runs on the calling OS thread alone.
 */
#ifndef SOFTGPU_TURNS_H
#define SOFTGPU_TURNS_H

#include "block.h"

/** Grids in flight at a time. */
enum { SOFTGPU_TURNS = 32 };

/** A worker is about to run blocks of the grid: wait for the grid's turn. */
void softgpu_turn_join(struct worker *w);
/** The worker has no block left, or the grid has failed. */
void softgpu_turn_leave(struct worker *w);
/** All blocks of the worker wait, and no more can start: let other grids run if
 *  there are any and no worker of this one can go on. */
void softgpu_turn_offer(struct worker *w);

/** Does another grid or command wait for the turn? */
bool softgpu_turn_is_wanted(void);

/** A thread of the worker yields. */
static inline void note_yield(struct worker *w, bool forced)
{
    if (!forced)
        w->yields++;
    else if (!w->yields) /* it has not polled, but worked */
        __atomic_store_n(&w->stalled_since, 0, __ATOMIC_RELAXED);
    if (forced)
        w->yields = 0;
}

/** A block of the worker has started or ended. */
static inline void note_progress(struct worker *w)
{
    w->idle_turns = 0;
    __atomic_store_n(&w->stalled_since, 0, __ATOMIC_RELAXED);
}

/** In the child of a fork(): no grid is in flight. */
void softgpu_turns_after_fork(void);

#endif

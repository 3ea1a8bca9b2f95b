/* SPDX-License-Identifier: MIT */
/** @file
 *  The synchronization variables that the threads of a block have read in the
 *  current interval and not acquired yet.  Private to happens_before.c.
 */
#ifndef SOFTGPU_WATCH_PENDING_READS_H
#define SOFTGPU_WATCH_PENDING_READS_H

#include "sync_variable.h"

struct pending_read;

/** They; all 0 at first. */
struct pending_reads {
    struct pending_read *first;
    size_t count, capacity;
};

/** A thread of a block has read a variable. */
struct sync_read {
    struct sync_variable *variable;
    uint32_t thread;
    uint32_t warp_calls; /**< that its warp had completed */
    int is_stated;       /**< by an atomic of a stated memory order: a barrier
                              is no fence for it */
};

/** Add a read; its releases so far count. */
void pending_reads_add(struct pending_reads *reads,
                       const struct sync_read *read);
/** Acquire what a thread has read itself, or a lane of its warp before a warp
 *  call, or any thread before a barrier, and remove that.
 *  @param thread      or ALL_THREADS, of a barrier: what any thread has read,
 *                     but with a stated order
 *  @param warp_calls  that the thread's warp has completed
 *  @param interval    of the block
 *  @param list        what the block has acquired
 *  @return the list's new head */
struct acquired *pending_reads_acquire(struct pending_reads *reads,
                                       uint32_t thread, uint32_t warp_calls,
                                       uint32_t interval,
                                       struct acquired *list);

#endif

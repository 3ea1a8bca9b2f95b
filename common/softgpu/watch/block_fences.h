/* SPDX-License-Identifier: MIT */
/** @file
 *  The fences for the device that a block's threads execute, and those that a
 *  barrier hands over to all of them: each thread executes __threadfence(),
 *  then __syncthreads(), and one thread sets the flag.  Such a fence orders what
 *  its own thread did before it, and what earlier barriers and warp calls order
 *  before it, not what other threads did.  Private to happens_before.c, which
 *  holds its lock around block_fences_handed_over() and _free().
 */
#ifndef SOFTGPU_WATCH_BLOCK_FENCES_H
#define SOFTGPU_WATCH_BLOCK_FENCES_H

#include "watch.h"

/** A thread's last fence. */
struct thread_fence {
    uint32_t sequence, interval; /**< of the block; sequence 0: none */
    uint16_t warp_interval;
};

enum { MAX_BLOCK_THREADS = 1024 };

/** Of a block. */
struct block_fences {
    struct thread_fence last[MAX_BLOCK_THREADS];    /**< by thread */
    struct thread_fence earlier[MAX_BLOCK_THREADS]; /**< in an earlier interval
                                                         than last[] */
    uint32_t sequence;          /**< of the block's last fence; 0: none */
    uint32_t interval;          /**< and its interval */
    uint32_t sequence_at_start; /**< both when the interval began */
    uint32_t interval_at_start;
    const struct handed_fences *handed_over; /**< of this interval; or NULL */
};

/** A block begins that has executed none. */
void block_fences_begin(struct block_fences *fences);
/** An interval begins. */
void block_fences_begin_interval(struct block_fences *fences);
/** A thread has executed one. */
void block_fences_add(struct block_fences *fences, uint32_t thread,
                      const struct thread_fence *fence);

/** The fences of the last interval before this one that had any.
 *  @param threads  of the block
 *  @return valid until the grid ends; NULL where there is no memory left for
 *          more of them */
const struct handed_fences *
block_fences_handed_over(struct block_fences *fences, uint32_t threads);
/** Is the access, of an interval before that of the release, ordered before one
 *  of these fences?  For a record of several warps 1 if it may be. */
int handed_fences_order(const struct handed_fences *fences,
                        const struct access_record *access);
/** The grid has ended. */
void handed_fences_free(void);

#endif

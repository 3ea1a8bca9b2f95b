/* SPDX-License-Identifier: MIT */
/** @file
 *  The same-access filter (instrument/same_access.h) as the checker uses it:
 *  for the shared memory of the block that this OS thread runs.
 */
#ifndef SOFTGPU_WATCH_SHARED_SHADOW_H
#define SOFTGPU_WATCH_SHARED_SHADOW_H

#include "common/softgpu/instrument/same_access.h"
#include "watch.h"

/** The shared memory that the filter covers, of one block, in 4-byte words. */
struct shared_shadow {
    struct watch_block *block; /**< NULL: the filter is off */
    uint32_t ordered_interval; /**< the block's: cells of earlier intervals need
                                    no check */
    size_t static_end;         /**< variables that the kernel declares */
    size_t dynamic_begin, dynamic_end; /**< extern __shared__ */
    size_t functions_begin;    /**< variables of device functions */
};
extern SOFTGPU_TLS struct shared_shadow shared_shadow; /**< this OS thread's */

/** Set the filter for a block, which is the running one. */
void shared_shadow_bind(struct watch_block *w);

/** Turn the filter off until shared_shadow_bind(): the next access must take
 *  the slow path. */
static inline void shared_shadow_disable(void)
{
    filter_disable();
    shared_shadow.block = NULL;
}

/** A __syncwarp: the reads of a warp before it count no more. */
static inline void shared_shadow_new_warp_interval(struct watch_block *w)
{
    if (++w->warp_epoch == WARP_EPOCHS) { /* numbers start again */
        memset(w->keys, 0, w->words * sizeof *w->keys);
        w->warp_epoch = 1;
    }
    if (shared_shadow.block == w)
        same_access_filter.warp_interval = WARP_KEY | w->warp_epoch;
}

/** A barrier: the block's records belong to a new interval. */
static inline void shared_shadow_new_interval(struct watch_block *w)
{
    shared_shadow_new_warp_interval(w);
    if (shared_shadow.block == w) {
        same_access_filter.interval = w->interval;
        shared_shadow.ordered_interval = w->ordered_interval;
    }
}

#endif

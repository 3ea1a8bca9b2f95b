/* SPDX-License-Identifier: MIT */
/** @file
 *  The fences of a warp's lanes that a warp call hands over to all of them:
 *  each lane executes __threadfence(), then __syncwarp(), and one lane sets the
 *  flag.  Private to happens_before.c.
 */
#ifndef SOFTGPU_WATCH_WARP_ORDER_H
#define SOFTGPU_WATCH_WARP_ORDER_H

#include "sync_variable.h"

/** Fences for the device. */
struct lane_fences {
    uint32_t lanes;    /**< that executed one */
    uint32_t sequence; /**< watch_block.sequence at the last one */
};

/** Of a warp; all 0 at first. */
struct warp_order {
    uint32_t calls;    /**< that it has completed */
    uint32_t interval; /**< of the block, at the last fence */
    uint32_t calls_at_fence;
    struct lane_fences since; /**< in the interval, since the last call */
    struct lane_fences before; /**< and before it */
};

/** A thread has executed a fence.
 *  @param interval, sequence  of its block */
void warp_order_add_fence(struct warp_order *warp, uint32_t thread,
                          uint32_t interval, uint32_t sequence);
/** Set warp_fence and fenced_lanes of a release.
 *  @param[in,out] entry  with its interval */
void warp_order_find_fences(const struct warp_order *warp,
                            struct release_entry *entry);
#endif

/* SPDX-License-Identifier: MIT */
#include "warp_order.h"

void warp_order_add_fence(struct warp_order *warp, uint32_t thread,
                          uint32_t interval, uint32_t sequence)
{
    if (warp->interval != interval) {
        warp->interval = interval;
        warp->since = warp->before = (struct lane_fences){0};
    } else if (warp->calls_at_fence != warp->calls) {
        warp->before.lanes |= warp->since.lanes;
        warp->before.sequence = warp->since.sequence;
        warp->since.lanes = 0;
    }
    warp->calls_at_fence = warp->calls;
    warp->since.lanes |= 1u << thread % WARP_LANES;
    warp->since.sequence = sequence;
}

void warp_order_find_fences(const struct warp_order *warp,
                            struct release_entry *entry)
{
    if (warp->interval != entry->interval)
        return;
    entry->warp_fence = warp->before.sequence;
    entry->fenced_lanes = warp->before.lanes;
    if (warp->calls_at_fence == warp->calls)
        return;
    entry->warp_fence = warp->since.sequence;
    entry->fenced_lanes |= warp->since.lanes;
}

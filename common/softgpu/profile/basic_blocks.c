/* SPDX-License-Identifier: MIT */
/* Executions of basic blocks: by warps, by lanes, and how often the lanes of a
 * warp branched to different blocks afterwards.  The lanes that executed a
 * block together are remembered until each of them has entered another block
 * or has exited. */
#include <string.h>

#include "lane_log.h"

enum { EXITED = 1 }; /* successor of a lane that has exited */

static void count_divergence(struct block_profile *p, struct branch_state *open)
{
    p->sites.items[open->site].diverged += open->diverged;
}

/* The lanes branch from their blocks to the block `next`. */
static void leave_basic_block(struct block_profile *p, struct warp_state *w,
                              uint32_t lanes, uint64_t next)
{
    while (lanes) {
        unsigned l = (unsigned)__builtin_ctz(lanes);
        struct branch_state *open;
        uint32_t left_now;

        if (!w->branch_of[l]) {
            lanes &= lanes - 1;
            continue;
        }
        open = &w->branches[w->branch_of[l] - 1];
        left_now = open->mask & lanes;
        open->diverged |= open->next && open->next != next;
        open->next = next;
        open->mask &= ~left_now;
        if (!open->mask)
            count_divergence(p, open);
        for (uint32_t left = left_now; left; left &= left - 1)
            w->branch_of[__builtin_ctz(left)] = 0;
        lanes &= ~left_now;
    }
}

static void enter_basic_block(struct warp_state *w, uint32_t lanes, int site)
{
    uint8_t free_one = 0;

    while (w->branches[free_one].mask)
        free_one++; /* a lane is in one entry only: 32 are enough */
    w->branches[free_one] = (struct branch_state){.mask = lanes, .site = site};
    for (uint32_t left = lanes; left; left &= left - 1)
        w->branch_of[__builtin_ctz(left)] = (uint8_t)(free_one + 1);
}

void count_basic_block(struct block_profile *p, uint32_t warp, uint64_t code,
                       uint32_t lanes)
{
    struct warp_state *w = &p->warps[warp];
    int index = sites_find_or_add(&p->sites, code, SITE_BASIC_BLOCK);

    w->step++;
    if (index < 0)
        return;
    leave_basic_block(p, w, lanes, code);
    enter_basic_block(w, lanes, index);
    p->sites.items[index].warp_executions++;
    p->sites.items[index].thread_executions
        += (uint32_t)__builtin_popcount(lanes);
}

void count_block_end(struct block_profile *p)
{
    for (uint32_t i = 0; i * WARP_LANES < p->block->count; i++)
        leave_basic_block(p, &p->warps[i], ~0u, EXITED);
}

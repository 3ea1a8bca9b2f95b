/* SPDX-License-Identifier: MIT */
/* Basic blocks: how often each one ran, for how many lanes, and whether its
 * lanes went two ways afterwards.  Lanes that ran a block together are
 * remembered until each has entered another one, or has ended. */
#include <string.h>

#include "lanes.h"

enum { NOWHERE = 1 }; /* a lane that ended went there */

static void close_parting(struct block_profile *p, struct parting *open)
{
    p->sites.all[open->site].parted += open->parted;
}

/* These lanes go on to `next`. */
static void leave(struct block_profile *p, struct warp_trace *w,
                  uint32_t lanes, uint64_t next)
{
    while (lanes) {
        unsigned l = (unsigned)__builtin_ctz(lanes);
        struct parting *open;
        uint32_t gone;

        if (!w->in[l]) {
            lanes &= lanes - 1;
            continue;
        }
        open = &w->open[w->in[l] - 1];
        gone = open->mask & lanes;
        open->parted |= open->next && open->next != next;
        open->next = next;
        open->mask &= ~gone;
        if (!open->mask)
            close_parting(p, open);
        for (uint32_t left = gone; left; left &= left - 1)
            w->in[__builtin_ctz(left)] = 0;
        lanes &= ~gone;
    }
}

static void enter(struct warp_trace *w, uint32_t lanes, int site)
{
    uint8_t free_one = 0;

    while (w->open[free_one].mask)
        free_one++; /* a lane is in one only: 32 are enough */
    w->open[free_one] = (struct parting){.mask = lanes, .site = site};
    for (uint32_t left = lanes; left; left &= left - 1)
        w->in[__builtin_ctz(left)] = (uint8_t)(free_one + 1);
}

void count_block(struct block_profile *p, uint32_t warp, uint64_t code,
                 uint32_t lanes)
{
    struct warp_trace *w = &p->warps[warp];
    int place = site_at(&p->sites, code, SITE_BLOCK);

    w->step++;
    if (place < 0)
        return;
    leave(p, w, lanes, code);
    enter(w, lanes, place);
    p->sites.all[place].runs++;
    p->sites.all[place].lanes += (uint32_t)__builtin_popcount(lanes);
}

void count_ends(struct block_profile *p)
{
    for (uint32_t i = 0; i * WARP_LANES < p->block->count; i++)
        leave(p, &p->warps[i], ~0u, NOWHERE);
}

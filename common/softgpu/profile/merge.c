/* SPDX-License-Identifier: MIT */
/* Playing the logs of a warp side by side.  Lanes that part meet again as on a
 * card: of all lanes those go next that are in the deepest function, there at
 * the first basic block by flow.h's order, there at the smallest address. */
#include "lanes.h"

#include <string.h>

/** The lanes of a warp that is being played. */
struct players {
    struct lane *lanes;
    uint32_t waiting; /* lanes with events left */
    uint32_t open;    /* lanes that may still come with more */
    uint64_t turn[WARP_LANES]; /* of the next event: the smallest goes first */
};

/* Can the thread do anything before the others of its warp go on? */
static bool may_come(const struct block_profile *p, uint32_t index)
{
    const struct softgpu_thread *t = &p->block->threads[index];
    const struct warp *w = &p->block->warps[index / WARP_LANES];

    if (!(w->live >> index % WARP_LANES & 1))
        return false;
    return !p->lanes[index].last || t == softgpu_tls.thread || is_runnable(t);
}

/* When a lane's next event has its turn. */
static uint64_t turn_of(const struct block_profile *p, const struct lane *lane)
{
    const struct event *e = &lane->events[lane->head];

    return (e->key & ~LOW48)
           | (uint64_t)p->flow.nodes[e->node].rank << 32 | (uint32_t)e->key;
}

/* The lanes whose turn comes first and that do the very same. */
static uint32_t next_group(const struct players *w)
{
    uint64_t least = UINT64_MAX, what = 0;
    uint32_t group = 0;

    for (uint32_t left = w->waiting; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        const struct event *e = &w->lanes[l].events[w->lanes[l].head];
        uint64_t kind = e->place >> BYTES_SHIFT;

        if (w->turn[l] < least || (w->turn[l] == least && kind < what)) {
            least = w->turn[l];
            what = kind;
            group = 0;
        }
        if (w->turn[l] == least && kind == what)
            group |= 1u << l;
    }
    return group;
}

/* Take one event off each lane of the group. */
static void play(struct block_profile *p, uint32_t warp, struct players *w,
                 uint32_t group)
{
    const struct lane *first = &w->lanes[__builtin_ctz(group)];
    const struct event e = first->events[first->head];
    int kind = (int)(e.place >> KIND_SHIFT);
    struct warp_access access = {.active = group,
                                 .bytes = e.place >> BYTES_SHIFT & 0x7f,
                                 .async = e.place >> BYTES_SHIFT & ASYNC};

    for (uint32_t left = group; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        struct lane *lane = &w->lanes[l];

        access.at[l] = lane->events[lane->head++].place & LOW48;
        if (lane->head == lane->count)
            w->waiting &= ~(1u << l);
        else
            w->turn[l] = turn_of(p, lane);
    }
    if (kind == SITE_BLOCK)
        count_block(p, warp, e.key & LOW48, group);
    else
        count_access(p, warp, e.key & LOW48, kind, &access);
}

/* Move what is left to the front. */
static void close_up(struct lane *lane)
{
    if (!lane->head)
        return;
    lane->count -= lane->head;
    memmove(lane->events, lane->events + lane->head,
            lane->count * sizeof *lane->events);
    lane->head = lane->polled = 0;
}

void warp_play(struct block_profile *p, uint32_t warp, bool final)
{
    uint32_t first = warp * WARP_LANES;
    uint32_t lanes = p->block->count - first;
    struct players w = {.lanes = p->lanes + first};

    flow_order(&p->flow);
    lanes = lanes < WARP_LANES ? lanes : WARP_LANES;
    for (uint32_t l = 0; l < lanes; l++) {
        if (w.lanes[l].count) {
            w.waiting |= 1u << l;
            w.turn[l] = turn_of(p, &w.lanes[l]);
        }
        if (!final && may_come(p, first + l))
            w.open |= 1u << l;
    }
    while (w.waiting && !(w.open & ~w.waiting))
        play(p, warp, &w, next_group(&w));
    for (uint32_t l = 0; l < lanes; l++)
        close_up(&w.lanes[l]);
}

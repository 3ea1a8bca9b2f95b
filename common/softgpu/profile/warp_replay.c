/* SPDX-License-Identifier: MIT */
/* Replays the logs of a warp's lanes in lockstep.  Lanes that diverged
 * reconverge as on a GPU: the lanes in the deepest function are replayed
 * first; of these, the ones at the basic block that comes first in
 * flow_graph.h's order; of these, the ones at the smallest address. */
#include "lane_log.h"

#include <string.h>

/** The lanes of the warp. */
struct replay {
    struct lane *lanes;
    uint32_t pending; /* lanes with events left */
    uint32_t may_log; /* lanes that may log more events */
    /* of the next event: the smallest is replayed first */
    uint64_t next_order[WARP_LANES];
};

/* Can the thread run before the other threads of its warp continue? */
static bool may_still_log(const struct block_profile *p, uint32_t index)
{
    const struct softgpu_thread *t = &p->block->threads[index];
    const struct warp *w = &p->block->warps[index / WARP_LANES];

    if (!(w->live >> index % WARP_LANES & 1))
        return false;
    return !p->lanes[index].last_key || t == softgpu_tls.thread
           || is_runnable(t);
}

/* Position of a lane's next event in the order of replay. */
static uint64_t replay_order(const struct block_profile *p,
                             const struct lane *lane)
{
    const struct event *e = &lane->events[lane->head];

    return (e->key & ~ADDRESS_MASK)
           | (uint64_t)p->flow.nodes[e->node].rank << 32 | (uint32_t)e->key;
}

/* The active lanes of the next warp instruction: first in the order of replay,
 * with the same kind and size of access. */
static uint32_t next_converged_lanes(const struct replay *w)
{
    uint64_t first_order = UINT64_MAX, kind_and_size = 0;
    uint32_t group = 0;

    for (uint32_t left = w->pending; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        const struct event *e = &w->lanes[l].events[w->lanes[l].head];
        uint64_t kind = e->access >> BYTES_SHIFT;

        if (w->next_order[l] < first_order
            || (w->next_order[l] == first_order && kind < kind_and_size)) {
            first_order = w->next_order[l];
            kind_and_size = kind;
            group = 0;
        }
        if (w->next_order[l] == first_order && kind == kind_and_size)
            group |= 1u << l;
    }
    return group;
}

/* Replay one event of each lane of the group. */
static void replay_event(struct block_profile *p, uint32_t warp,
                         struct replay *w, uint32_t group)
{
    const struct lane *first = &w->lanes[__builtin_ctz(group)];
    const struct event e = first->events[first->head];
    int kind = (int)(e.access >> KIND_SHIFT);
    struct warp_access access = {.active = group,
                                 .bytes = e.access >> BYTES_SHIFT & 0x7f,
                                 .async = e.access >> BYTES_SHIFT & ASYNC};

    for (uint32_t left = group; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        struct lane *lane = &w->lanes[l];

        access.address[l] = lane->events[lane->head++].access & ADDRESS_MASK;
        if (lane->head == lane->count)
            w->pending &= ~(1u << l);
        else
            w->next_order[l] = replay_order(p, lane);
    }
    if (kind == SITE_BASIC_BLOCK)
        count_basic_block(p, warp, e.key & ADDRESS_MASK, group);
    else
        count_access(p, warp, e.key & ADDRESS_MASK, kind, &access);
}

/* Move the remaining events to the front. */
static void compact_log(struct lane *lane)
{
    if (!lane->head)
        return;
    lane->count -= lane->head;
    memmove(lane->events, lane->events + lane->head,
            lane->count * sizeof *lane->events);
    lane->head = lane->poll_event = 0;
}

void warp_replay(struct block_profile *p, uint32_t warp, bool final)
{
    uint32_t first = warp * WARP_LANES;
    uint32_t lanes = p->block->count - first;
    struct replay w = {.lanes = p->lanes + first};

    flow_graph_order(&p->flow);
    lanes = lanes < WARP_LANES ? lanes : WARP_LANES;
    for (uint32_t l = 0; l < lanes; l++) {
        if (w.lanes[l].count) {
            w.pending |= 1u << l;
            w.next_order[l] = replay_order(p, &w.lanes[l]);
        }
        if (!final && may_still_log(p, first + l))
            w.may_log |= 1u << l;
    }
    while (w.pending && !(w.may_log & ~w.pending))
        replay_event(p, warp, &w, next_converged_lanes(&w));
    for (uint32_t l = 0; l < lanes; l++)
        compact_log(&w.lanes[l]);
}

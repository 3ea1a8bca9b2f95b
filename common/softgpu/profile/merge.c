/* SPDX-License-Identifier: MIT */
/* Playing the logs of a warp side by side.  Lanes that part meet again as on
 * a card, and the trick that finds where needs no look at the program: of all
 * lanes, those at the smallest key go next (the deepest function, then the
 * smallest code address).  Lanes that wait behind a loop or an if stand at a
 * larger address than those inside, as long as the compiler leaves blocks in
 * the order of the source.  (Collange, "Stack-less SIMT reconvergence at low
 * cost", 2011.) */
#include "lanes.h"

#include <string.h>

/** The lanes of a warp that is being played. */
struct players {
    struct lane *lanes;
    uint32_t waiting; /* lanes with events left */
    uint32_t open;    /* lanes that may still come with more */
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

/* The lanes at the smallest key that do the very same. */
static uint32_t next_group(const struct players *w)
{
    uint64_t least = UINT64_MAX, what = 0;
    uint32_t group = 0;

    for (uint32_t left = w->waiting; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        const struct event *e = &w->lanes[l].events[w->lanes[l].head];
        uint64_t kind = e->place >> BYTES_SHIFT;

        if (e->key < least || (e->key == least && kind < what)) {
            least = e->key;
            what = kind;
            group = 0;
        }
        if (e->key == least && kind == what)
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
                                 .bytes = e.place >> BYTES_SHIFT & 0xff};

    for (uint32_t left = group; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        struct lane *lane = &w->lanes[l];

        access.at[l] = lane->events[lane->head++].place & LOW48;
        if (lane->head == lane->count)
            w->waiting &= ~(1u << l);
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
    lane->head = 0;
}

void warp_play(struct block_profile *p, uint32_t warp, bool final)
{
    uint32_t first = warp * WARP_LANES;
    uint32_t lanes = p->block->count - first;
    struct players w = {p->lanes + first, 0, 0};

    lanes = lanes < WARP_LANES ? lanes : WARP_LANES;
    for (uint32_t l = 0; l < lanes; l++) {
        w.waiting |= (uint32_t)(w.lanes[l].count > 0) << l;
        if (!final && may_come(p, first + l))
            w.open |= 1u << l;
    }
    while (w.waiting && !(w.open & ~w.waiting))
        play(p, warp, &w, next_group(&w));
    for (uint32_t l = 0; l < lanes; l++)
        close_up(&w.lanes[l]);
}

/* SPDX-License-Identifier: MIT */
/* The trick: grids run in one order, each a node of the tree of launches.  Two
 * of them are compared below the last grid that led to both.  A ring keeps the
 * latest grids; one that it has lost counts as ordered. */
#include "nested_race.h"

#include <string.h>

#include "common/softgpu/core/turns.h"
#include "happens_before.h"
#include "race_report.h"
#include "shadow_words.h"
#include "shared_shadow.h"

enum { GRIDS = 4096, LEVELS = 25 /* grids that wait, and the running one */ };

/** A grid. */
struct grid {
    uint32_t number; /* 0: none */
    uint32_t parent; /* number of the launching grid; 0: the host */
    int was_awaited; /* by a thread of the parent */
    struct softgpu_launch_point at; /* of the launch, with a parent */
};

static struct grid grids[GRIDS]; /* by number */
static uint32_t last_number;
static uint32_t running[LEVELS]; /* the innermost last */
static unsigned level;           /* how many */

uint32_t nested_race_grid(void)
{
    return level ? running[level - 1] : 0;
}

void nested_race_launches(struct softgpu_launch_point *at)
{
    struct watch_block *w = watch_current_block();
    const struct softgpu_thread *thread = softgpu_tls.thread;

    at->grid = nested_race_grid();
    at->thread = (uint32_t)(thread - w->block->threads);
    at->interval = w->interval;
    at->has_acquired = w->sequence != w->launches;
    at->sequence = w->sequence++; /* later accesses have a larger one */
    w->launches++;
}

void nested_race_begin_grid(const struct run *run)
{
    const struct softgpu_launch_point *at = run->grid->launched_at;
    struct grid *g;

    if (!++last_number)
        last_number = 1;
    g = &grids[last_number % GRIDS];
    *g = (struct grid){.number = last_number, .was_awaited = level > 0};
    if (at) {
        g->at = *at;
        g->parent = at->grid;
    }
    if (level < LEVELS)
        running[level++] = last_number;
}

void nested_race_end_grid(void)
{
    if (level)
        level--;
}

void nested_race_pass(const struct run *run, int passes)
{
    static uint32_t stopped[SOFTGPU_TURNS];

    if (passes)
        stopped[run->place] = nested_race_grid();
    else
        running[0] = stopped[run->place];
    level = !passes;
}

/* @return NULL if the ring has lost it */
static const struct grid *find(uint32_t number)
{
    const struct grid *g = &grids[number % GRIDS];

    return number && g->number == number ? g : NULL;
}

/* The one of a grid and those that led to it that `parent` launched.
 * @return NULL if there is none */
static const struct grid *child_of(uint32_t parent, const struct grid *g)
{
    while (g && g->parent != parent)
        g = find(g->parent);
    return g;
}

/* Is a record of the launching grid ordered before its launch of a grid?  An
 * atomic of the block before it counts as one that hands over what others did,
 * with a fence or without: the last block to arrive launches the next step.
 * Lanes of the launching thread's warp count as ordered in its interval. */
static int is_before_launch(const struct access_record *r,
                            const struct softgpu_launch_point *at)
{
    const int is_one_thread =
        !(r->threads & (RECORD_LANES | RECORD_WARPS))
        && (r->threads & RECORD_THREAD) == at->thread;

    if (at->is_tail)
        return 1;
    if (r->block != (uint32_t)at->block || r->threads & RECORD_BLOCKS)
        return at->has_acquired;
    if (r->interval != at->interval)
        return r->interval < at->interval;
    if (is_one_thread)
        return r->sequence <= at->sequence;
    return at->has_acquired
           || (!(r->threads & RECORD_WARPS)
               && ((r->threads ^ at->thread) & RECORD_WARP) == 0);
}

/* Is all of a grid ordered before another one, both launched by one grid? */
static int is_before(const struct grid *old, const struct grid *now)
{
    return now->at.is_tail || old->at.block == now->at.block
           || (old->was_awaited && now->at.has_acquired);
}

/* --- findings ------------------------------------------------------------- */

/* A write of a word that another grid wrote: it is a race when the values
 * differ, which is known after the store. */
static SOFTGPU_TLS struct {
    struct softgpu_finding finding;
    const struct launch *old;
    uintptr_t base;
    size_t bytes; /* 0: there is none */
    unsigned char values[4];
    int is_parent;
} written;

static const char *verb(int writes)
{
    return writes ? "write" : "read";
}

static void report(const struct softgpu_finding *finding, const char *mine,
                   const char *theirs, const struct launch *old, int is_parent)
{
    softgpu_report_finding(
        finding, "%s here, %s of the same bytes by %s, %s", mine, theirs,
        old->kernel,
        is_parent ? "which led to this launch: the launch orders only what its "
                    "thread did before, and barriers before that"
                  : "launched by another block: no order between the two");
}

void nested_race_run_deferred(void)
{
    const size_t bytes = written.bytes;

    written.bytes = 0;
    if (bytes && memcmp((const void *)written.base, written.values, bytes))
        report(&written.finding, verb(1), verb(1), written.old,
               written.is_parent);
}

static void report_record(const struct word_access *w,
                          const struct access_record *r,
                          const struct launch *old, int is_parent)
{
    const struct byte_range range = shadow_bytes_of(w);
    struct softgpu_finding finding =
        watch_make_finding(w->access, SOFTGPU_FIND_RACE_NESTED);

    finding.other = race_full_pc(r->pc);
    if (!range.writes || !(r->threads & RECORD_WRITE)) {
        report(&finding, verb(range.writes), verb(!range.writes), old,
               is_parent);
        return;
    }
    written.finding = finding;
    written.old = old;
    written.base = range.base;
    written.bytes = range.end - range.base;
    written.is_parent = is_parent;
    memcpy(written.values, (const void *)range.base, written.bytes);
    watch_defer();
    shared_shadow_disable();
}

/* --- a kernel's access ---------------------------------------------------- */

/* The part of the tree where two grids meet. */
struct relatives {
    const struct grid *child; /* the running grid, or what led to it */
    int is_parent;            /* the other grid launched it */
};

/* @return 0: all of the earlier grid is ordered before the running one */
static int relate(const struct grid *old, struct relatives *to)
{
    const struct grid *now = find(nested_race_grid()), *other = old;

    if (!now || !old || child_of(now->number, old))
        return 0; /* the running grid waited for what it launched */
    to->child = child_of(old->number, now);
    to->is_parent = to->child != NULL;
    while (!to->child && other && other->parent) {
        to->child = child_of(other->parent, now);
        if (to->child)
            return !is_before(other, to->child);
        other = find(other->parent);
    }
    return to->is_parent;
}

void nested_race_word(const struct word_access *w, const struct launch *old)
{
    const struct byte_range range = shadow_bytes_of(w);
    const struct access_record *r = NULL;
    struct relatives to;

    if (!relate(find(old->grid), &to))
        return;
    while ((r = shadow_conflict(w->cell, &range, r)) != NULL) {
        if (both_synchronizing(r, &w->current)
            || (to.is_parent && is_before_launch(r, &to.child->at)))
            continue;
        report_record(w, r, old, to.is_parent);
        return;
    }
}

/* SPDX-License-Identifier: MIT */
/* Watcher: barriers and warp calls.  Threads that open one barrier must have
 * come to the same line; code addresses alone do not tell, because a compiler
 * copies calls. */
#include <string.h>

#include "grid.h"
#include "lines.h"
#include "order.h"
#include "progress.h"

static int same_line(const void *a, const void *b)
{
    struct source_line x, y;

    softgpu_source_line((uintptr_t)a, &x);
    softgpu_source_line((uintptr_t)b, &y);
    return x.line == y.line && strcmp(x.file, y.file) == 0;
}

/* Does a stand further down in the file than b? */
static int is_below(const void *a, const void *b)
{
    struct source_line x, y;

    softgpu_source_line((uintptr_t)a, &x);
    softgpu_source_line((uintptr_t)b, &y);
    return x.line > y.line && strcmp(x.file, y.file) == 0;
}

static void find(enum softgpu_finding_kind kind, const struct softgpu_thread *t,
                 const void *code, const void *other, const char *text)
{
    const struct softgpu_block *b = softgpu_tls.block;
    const struct watch_block *w = b->watch;
    struct softgpu_sighting seen = {
        .kind = kind, .kernel = w->kernel, .code = (uintptr_t)code,
        .other = (uintptr_t)other, .block = b->index, .thread = t->id,
    };

    softgpu_find(&seen, "%s", text);
}

static int has(const uint32_t *set, uint32_t i)
{
    return set[i / 32] >> i % 32 & 1;
}

static void add(uint32_t *set, uint32_t i)
{
    set[i / 32] |= 1u << i % 32;
}

/* --- the barrier of the block ------------------------------------------------- */

/* A thread that waits for the barrier, not for a warp. */
static int waits_here(const struct softgpu_block *b,
                      const struct softgpu_thread *t)
{
    return t->word == &b->epoch && t->value == b->epoch;
}

/* A thread that returned: early, as it may, or after it went round the
 * barrier?  Its last access to memory stands below the barrier then.  One
 * that was at a barrier before may have left a loop: no verdict. */
static int went_round(const struct softgpu_block *b,
                      const struct softgpu_thread *t, const void *site)
{
    const struct watch_block *w = b->watch;

    return t != softgpu_tls.thread && t->word == &softgpu_never && t->site
           && !has(w->at_barrier, index_of(b, t)) && is_below(t->site, site);
}

static void find_missed(const struct softgpu_block *b, const void *site)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const struct softgpu_thread *t = &b->threads[i];

        if (went_round(b, t, site))
            find(SOFTGPU_FIND_BARRIER_MISSED, t, site, t->site,
                 "this thread went round the barrier; the others wait for all "
                 "of the block");
    }
}

/* The first place where somebody waits, and whether all wait there. */
static const void *look_round(struct softgpu_block *b, const void *site)
{
    struct watch_block *w = b->watch;

    for (uint32_t i = 0; i < b->count; i++) {
        const struct softgpu_thread *t = &b->threads[i];

        if (!waits_here(b, t))
            continue;
        add(w->at_barrier, i);
        site = site ? site : t->site;
        if (t->site != site && !same_line(t->site, site))
            find(SOFTGPU_FIND_BARRIER_DIVERGED, t, t->site, site,
                 "some threads of the block wait at this barrier while others "
                 "are at another one");
    }
    return site;
}

void sync_barrier(struct softgpu_block *b, const void *site)
{
    struct watch_block *w = b->watch;

    watch_settle();
    order_interval(w);
    progress_made();
    if (site)
        add(w->at_barrier, index_of(b, softgpu_tls.thread));
    site = look_round(b, site);
    if (b->live < b->count && site)
        find_missed(b, site);
}

/* --- warp calls ---------------------------------------------------------------- */

void sync_warp_call(uint32_t mask, uint32_t arrived)
{
    struct softgpu_block *b = softgpu_tls.block;
    struct watch_block *w = b->watch;
    struct softgpu_thread *lanes =
        softgpu_tls.thread - lane_of(softgpu_tls.thread);
    const struct softgpu_thread *first = &lanes[__builtin_ctz(arrived)];

    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        const struct softgpu_thread *t = &lanes[lane];

        if (arrived >> lane & 1) {
            add(w->at_warp_call, index_of(b, t));
            if (t->site != first->site && t->result
                && !same_line(t->site, first->site))
                find(SOFTGPU_FIND_BAD_MASK, t, t->site, first->site,
                     "lanes of one mask are in different calls");
        } else if (mask >> lane & 1 && t->site && lane < t->warp->lanes
                   && !has(w->at_warp_call, index_of(b, t))
                   && is_below(t->site, first->site)) {
            find(SOFTGPU_FIND_BAD_MASK, t, first->site, t->site,
                 "the mask names this lane, which went round the call");
        }
    }
}

/* What core errors are, as findings. */
static enum softgpu_finding_kind kind_of(int error, const char *text)
{
    if (error == SOFTGPU_LAUNCH_TIMEOUT)
        return SOFTGPU_FIND_NO_PROGRESS;
    return strstr(text, "mask") ? SOFTGPU_FIND_BAD_MASK : SOFTGPU_FIND_FAULT;
}

static int any_failed;

int sync_any_failed(void)
{
    return any_failed;
}

static uint32_t all_waiting(const struct fault *fault)
{
    uint32_t threads = 0;

    for (uint32_t i = 0; i < fault->site_count; i++)
        threads += fault->sites[i].threads;
    return threads;
}

void sync_failed(const struct run *run, const struct fault *fault, int error)
{
    const struct wait_site *wait = fault->sites, *other = NULL;
    struct softgpu_sighting seen = {
        .kind = kind_of(error, fault->text),
        .kernel = run->grid->kernel->name,
        .code = (uintptr_t)fault->pc + !fault->returns,
        .block = fault->block,
        .thread = fault->thread,
    };

    any_failed = 1;
    if (!fault->site_count) {
        softgpu_find(&seen, "%s", fault->text);
        return;
    }
    if (fault->site_count > 1)
        other = &wait[is_below(wait[1].pc, wait[0].pc)];
    wait += other == wait; /* the first in the source is named first */
    seen.code = (uintptr_t)wait->pc;
    seen.other = other ? (uintptr_t)other->pc : 0;
    softgpu_find(&seen, "the block can never go on: of its threads %u wait "
                 "here, %u elsewhere", wait->threads,
                 all_waiting(fault) - wait->threads);
}

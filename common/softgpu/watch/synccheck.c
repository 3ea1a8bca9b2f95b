/* SPDX-License-Identifier: MIT */
/* Synccheck: barriers and warp functions.  All threads at a barrier must be at
 * the same line and column; code addresses do not tell, because compilers copy
 * calls. */
#include <string.h>

#include "synccheck.h"

#include "common/softgpu/core/source_line.h"
#include "happens_before.h"
#include "shared_shadow.h"
#include "watchdog.h"

static int is_same_place(const void *a, const void *b)
{
    struct source_line x, y;

    if (a == b)
        return 1;
    softgpu_source_line((uintptr_t)a, &x);
    softgpu_source_line((uintptr_t)b, &y);
    return x.line == y.line && x.column == y.column
           && strcmp(x.file, y.file) == 0;
}

/* Is a further down in the same file than b? */
static int is_below(const void *a, const void *b)
{
    struct source_line x, y;

    softgpu_source_line((uintptr_t)a, &x);
    softgpu_source_line((uintptr_t)b, &y);
    return x.line > y.line && strcmp(x.file, y.file) == 0;
}

static void report(enum softgpu_finding_kind kind,
                   const struct softgpu_thread *t, const void *pc,
                   const void *other, const char *text)
{
    const struct softgpu_block *b = softgpu_tls.block;
    const struct watch_block *w = b->watch;
    struct softgpu_finding finding = {
        .kind = kind,
        .kernel = w->kernel,
        .pc = (uintptr_t)pc,
        .other = (uintptr_t)other,
        .block = b->index,
        .thread = t->id,
    };

    softgpu_report_finding(&finding, "%s", text);
}

static int test_bit(const uint32_t *set, uint32_t i)
{
    return set[i / 32] >> i % 32 & 1;
}

static void set_bit(uint32_t *set, uint32_t i) { set[i / 32] |= 1u << i % 32; }

/* --- the barrier of the block --------------------------------------------- */

/* Does the thread wait at the barrier, not in a warp function? */
static int waits_at_block_barrier(const struct softgpu_block *b,
                                  const struct softgpu_thread *t)
{
    return t->wait_word == &b->epoch && t->wait_value == b->epoch;
}

/* The entry of a barrier that has this place, made if there is none; NULL if
 * there are too many. */
static struct barrier_site *find_barrier_site(struct watch_block *w,
                                              const void *pc)
{
    struct barrier_site *const sites = w->barrier_sites;
    unsigned i = 0;

    while (i < w->barriers && sites[i].pc != pc)
        i++;
    if (i < w->barriers)
        return &sites[i];
    for (i = 0; i < w->barriers; i++)
        if (is_same_place(sites[i].pc, pc))
            return &sites[i];
    if (w->barriers == MAX_BARRIER_SITES)
        return NULL;
    sites[i] = (struct barrier_site){.pc = pc};
    w->barriers++;
    return &sites[i];
}

/* @param at  its entry; NULL if there are too many */
static void note_at_barrier(struct watch_block *w, uint32_t thread,
                            struct barrier_site *at)
{
    set_bit(w->at_barrier, thread);
    if (at)
        set_bit(at->threads, thread);
}

/* Did a thread that returned skip the barrier?  An early return is allowed.
 * Not so if the thread came past the last barrier of the kernel and was never
 * at this one, or if its last access is below the barrier.  A thread that was
 * at it before may have left a loop: it is not reported. */
static int skipped_barrier(const struct softgpu_block *b,
                           const struct softgpu_thread *t, const void *site,
                           const struct barrier_site *barrier)
{
    const struct watch_block *w = b->watch;
    const uint32_t i = index_of(b, t);

    if (t->wait_word != &softgpu_wait_forever || t->wait_value)
        return 0; /* it has not returned */
    if (barrier && test_bit(w->at_end, i))
        return !test_bit(barrier->threads, i);
    return t->site && !test_bit(w->at_barrier, i) && is_below(t->site, site);
}

static void report_skipped_barrier(const struct softgpu_block *b,
                                   const void *site)
{
    struct watch_block *w = b->watch;
    const struct barrier_site *barrier = find_barrier_site(w, site);

    for (uint32_t i = 0; i < b->count; i++) {
        const struct softgpu_thread *t = &b->threads[i];

        if (skipped_barrier(b, t, site, barrier))
            report(SOFTGPU_FIND_BARRIER_MISSED, t, site,
                   t->site && is_below(t->site, site) ? t->site : w->end,
                   "this thread skipped the barrier at which the others "
                   "of its block wait");
    }
}

/* Report threads that wait at different barriers.  Returns the first site. */
static const void *check_waiting_threads(struct softgpu_block *b,
                                         const void *site)
{
    struct watch_block *w = b->watch;
    struct barrier_site *at = NULL; /* of the thread before: mostly the same */

    for (uint32_t i = 0; i < b->count; i++) {
        const struct softgpu_thread *t = &b->threads[i];

        if (!waits_at_block_barrier(b, t))
            continue;
        if (!at || at->pc != t->site)
            at = find_barrier_site(w, t->site);
        note_at_barrier(w, i, at);
        site = site ? site : t->site;
        if (t->site != site && !is_same_place(t->site, site))
            report(
                SOFTGPU_FIND_BARRIER_DIVERGED, t, t->site, site,
                "some threads of the block wait at this barrier while others "
                "are at another one");
    }
    return site;
}

void synccheck_barrier(struct softgpu_block *b, const void *site)
{
    struct watch_block *w = b->watch;

    watch_run_deferred();
    hb_begin_interval(w);
    watchdog_progress();
    if (site)
        note_at_barrier(w, index_of(b, softgpu_tls.thread),
                        find_barrier_site(w, site));
    site = check_waiting_threads(b, site);
    if (b->live < b->count && site)
        report_skipped_barrier(b, site);
}

void synccheck_grid_barrier(struct softgpu_block *b)
{
    watch_run_deferred();
    hb_begin_interval(b->watch);
    watchdog_progress();
}

void synccheck_kernel_end(const void *site)
{
    struct watch_block *w = watch_current_block();

    w->end = site;
    set_bit(w->at_end, index_of(w->block, softgpu_tls.thread));
}

/* --- warp calls ----------------------------------------------------------- */

void synccheck_warp_call(uint32_t mask, uint32_t arrived)
{
    struct softgpu_block *b = softgpu_tls.block;
    struct watch_block *w = b->watch;
    struct softgpu_thread *lanes =
        softgpu_tls.thread - lane_of(softgpu_tls.thread);
    const struct softgpu_thread *first = &lanes[__builtin_ctz(arrived)];

    watch_run_deferred();
    shared_shadow_new_warp_interval(w);
    hb_warp_call(w);
    /* the last warp of a block may have fewer lanes */
    for (uint32_t lane = 0; lane < first->warp->lanes; lane++) {
        const struct softgpu_thread *t = &lanes[lane];

        if (arrived >> lane & 1) {
            set_bit(w->at_warp_call, index_of(b, t));
            if (t->site != first->site && t->result
                && !is_same_place(t->site, first->site))
                report(SOFTGPU_FIND_BAD_MASK, t, t->site, first->site,
                       "lanes of one mask are in different calls");
        } else if (mask >> lane & 1 && t->site
                   && !test_bit(w->at_warp_call, index_of(b, t))
                   && is_below(t->site, first->site)) {
            report(SOFTGPU_FIND_BAD_MASK, t, first->site, t->site,
                   "the mask names this lane, which skipped the call");
        }
    }
}

/* The finding for an error of a kernel. */
static enum softgpu_finding_kind finding_kind_of(int error, const char *text)
{
    if (error == SOFTGPU_LAUNCH_TIMEOUT)
        return SOFTGPU_FIND_NO_PROGRESS;
    return strstr(text, "mask") ? SOFTGPU_FIND_BAD_MASK : SOFTGPU_FIND_FAULT;
}

static int any_failed;

int synccheck_any_failed(void) { return any_failed; }

static uint32_t count_waiting(const struct fault *fault)
{
    uint32_t threads = 0;

    for (uint32_t i = 0; i < fault->site_count; i++)
        threads += fault->sites[i].threads;
    return threads;
}

void synccheck_kernel_failed(const struct run *run, const struct fault *fault,
                             int error)
{
    const struct wait_site *wait = fault->sites, *other = NULL;
    struct softgpu_finding finding = {
        .kind = finding_kind_of(error, fault->text),
        .kernel = run->grid->kernel->name,
        .pc = (uintptr_t)fault->pc + !fault->is_return_address,
        .block = fault->block,
        .thread = fault->thread,
    };

    any_failed = 1;
    if (fault->already_reported && !fault->text[0])
        return; /* by a grid that it waited for */
    if (!fault->site_count) {
        softgpu_report_finding(&finding, "%s", fault->text);
        return;
    }
    if (fault->site_count > 1)
        other = &wait[is_below(wait[1].pc, wait[0].pc)];
    wait += other == wait; /* name the first in the source first */
    finding.pc = (uintptr_t)wait->pc;
    finding.other = other ? (uintptr_t)other->pc : 0;
    softgpu_report_finding(&finding,
                           "deadlock: %u thread%s of the block wait%s "
                           "here, %u elsewhere", wait->threads,
                           wait->threads == 1 ? "" : "s",
                           wait->threads == 1 ? "s" : "",
                           count_waiting(fault) - wait->threads);
}

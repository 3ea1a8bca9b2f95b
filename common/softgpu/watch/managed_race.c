/* SPDX-License-Identifier: MIT */
/* Accesses of host code to memory that kernels access, too.  A kernel that ran
 * before is found by the tag in the word's cell; one that runs later, although
 * it was queued before, is compared with the latest ranges of host accesses. */
#include "managed_race.h"

#include <pthread.h>

#include "common/softgpu/core/code_range.h"
#include "common/softgpu/core/symbols.h"
#include "common/softgpu/host/call.h"
#include "common/softgpu/host/memory.h"
#include "common/softgpu/host/stream.h"
#include "common/softgpu/host/stream_order.h"
#include "allocations.h"
#include "race_report.h"
#include "shadow_words.h"

enum { RANGES = 64 };

/** Neighboring accesses of one instruction of host code. */
struct range {
    uintptr_t base, end;
    uintptr_t pc;
    int writes;
    uint64_t number; /**< of the last command that was queued before */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range ranges[RANGES];
static unsigned range_count; /* ever */
/* Host and kernels may have exchanged a flag since the command of this number
 * was queued: kernels up to it are not compared. */
static uint64_t handed_over;
static struct range pending[RANGES]; /* with which the launch is not ordered */
static _Atomic unsigned pending_count;

/* The host's access comes first: it is the one that must wait. */
static void report(const struct range *host, uintptr_t kernel_pc,
                   const char *kernel)
{
    const struct softgpu_finding finding = {.kind = SOFTGPU_FIND_RACE_HOST,
                                            .pc = host->pc,
                                            .other = kernel_pc};

    softgpu_report_finding(&finding,
                           "%s by host code while the kernel %s may still be "
                           "running: synchronize with its stream first",
                           host->writes ? "write" : "read", kernel);
}

/* --- a kernel that has run ------------------------------------------------ */

/* The cell of each word has the launch that accessed it last.  One finding is
 * enough for an access. */
static void compare_with_kernels(const struct range *host)
{
    const struct allocation *m = allocation_find(host->base, 0);
    size_t at;

    if (!m || !m->cells || host->end > m->end)
        return;
    at = (host->base - m->base) & ~(size_t)3;
    for (; m->base + at < host->end; at += 4) {
        const struct shadow_cell *cell = &m->cells[at / 4];
        const struct launch *old =
            cell->tag ? stream_race_launch(cell->tag) : NULL;
        const struct byte_range range = {m->base + at, host->base, host->end,
                                         host->writes};
        const struct access_record *r;

        if (!old || old->number <= handed_over
            || softgpu_order_host_follows(old->entry, old->number))
            continue;
        r = shadow_conflict(cell, &range, NULL);
        if (!r)
            continue;
        report(host, race_full_pc(r->pc), old->kernel);
        return;
    }
}

/* --- a kernel that runs later --------------------------------------------- */

/* Add an access, to the last range of its instruction if it goes on there. */
static void add_range(const struct range *new)
{
    for (unsigned i = 0; i < RANGES && i < range_count; i++) {
        struct range *r = &ranges[(range_count - 1 - i) % RANGES];

        if (r->pc != new->pc || r->writes != new->writes
            || new->base > r->end || new->end < r->base)
            continue;
        r->base = new->base < r->base ? new->base : r->base;
        r->end = new->end > r->end ? new->end : r->end;
        r->number = new->number;
        return;
    }
    ranges[range_count++ % RANGES] = *new;
}

/* A range that was accessed after the launch was queued is not ordered with it:
 * if the host had waited for the launch in between, it would not run now. */
int managed_race_begin_grid(const struct softgpu_order *now)
{
    unsigned n = 0;

    pthread_mutex_lock(&lock);
    for (unsigned i = 0; now && i < RANGES && i < range_count; i++)
        if (ranges[i].number >= now->number && handed_over < now->number)
            pending[n++] = ranges[i];
    pending_count = n;
    pthread_mutex_unlock(&lock);
    return n > 0;
}

void managed_race_word(const struct word_access *w)
{
    const uint32_t writes = w->current.threads & RECORD_WRITE;
    struct softgpu_finding mine;

    for (unsigned i = 0; i < pending_count; i++) {
        const struct range *host = &pending[i];

        if (!(writes || host->writes)
            || !record_overlaps(&w->current, w->address, host->base, host->end))
            continue;
        mine = watch_make_finding(w->access, SOFTGPU_FIND_RACE_HOST);
        report(host, mine.pc, mine.kernel);
        return;
    }
}

/* --- host code ------------------------------------------------------------ */

/* Memory that kernels may access where host code does. */
static int is_managed(const void *p)
{
    const struct softgpu_symbol *symbol;

    if (softgpu_arena_contains(softgpu_managed_arena(), p)
        || softgpu_arena_contains(softgpu_pinned_arena(), p))
        return 1;
    symbol = softgpu_is_in_image((uintptr_t)p) ? softgpu_symbol_at(p) : NULL;
    return symbol && symbol->kind == SOFTGPU_MANAGED_VARIABLE;
}

/* While the host has waited for all commands, nothing is kept. */
void managed_race_host(const void *p, uint32_t bytes, uint32_t flags,
                       uintptr_t pc)
{
    const uint64_t last = softgpu_last_command();
    const struct range host = {(uintptr_t)p, (uintptr_t)p + bytes, pc,
                               (flags & ACCESS_WRITE) != 0, last};

    if (softgpu_order_host_is_idle(last) || softgpu_in_callback()
        || !is_managed(p))
        return;
    pthread_mutex_lock(&lock);
    if (flags & (ACCESS_ATOMIC | ACCESS_VOLATILE)) {
        handed_over = last;
        range_count = 0;
    } else {
        compare_with_kernels(&host);
        add_range(&host);
    }
    pthread_mutex_unlock(&lock);
}

/* SPDX-License-Identifier: MIT */
/* The profiler's hooks of a block's barriers. */
#include "lane_log.h"

/* Count a barrier of the block's threads, `is_whole`: of all of them. */
static void count_at(struct block_profile *p, bool is_whole, const void *site)
{
    struct counters none = {0}, *counters = &none;
    const int index =
        sites_find_or_add(&p->sites, (uintptr_t)site, SITE_BASIC_BLOCK);

    if (index >= 0)
        counters = &p->sites.items[index].counters;
    counters->barriers++;
    for (uint32_t i = 0; is_whole && i * WARP_LANES < p->block->count; i++)
        count_barrier(&p->warps[i], counters);
}

void profile_barrier(struct softgpu_block *b, const void *site)
{
    struct block_profile *p = b->profile;

    if (!p)
        return;
    block_log_replay(p);
    for (uint32_t i = 0; !site && i < b->count; i++)
        if (b->threads[i].wait_word == &b->epoch)
            site = b->threads[i].site; /* one that waits; the last does not */
    count_at(p, true, site);
}

void profile_numbered_barrier(struct softgpu_block *b, uint32_t threads,
                              const void *site)
{
    struct block_profile *p = b->profile;
    const bool is_whole = threads == 0 || threads >= b->count;

    if (!p)
        return;
    if (is_whole) /* else lanes of other warps are between two accesses */
        block_log_replay(p);
    count_at(p, is_whole, site);
}

void profile_grid_barrier(struct softgpu_block *b)
{
    struct block_profile *p = b->profile;

    if (p)
        p->phase_count++;
}

/* Its entry; the oldest one makes room. */
static struct barrier_phase *phase_of(struct block_profile *p,
                                      const volatile void *object)
{
    struct barrier_phase *at;

    for (uint32_t i = 0; i < MAX_PHASES; i++)
        if (p->phases[i].object == object)
            return &p->phases[i];
    at = &p->phases[p->next_phase++ % MAX_PHASES];
    *at = (struct barrier_phase){.object = object};
    return at;
}

enum {
    LAST_PHASE = 7, /* of an mbarrier; 0 follows */
    LATE = 4        /* phases by which a thread that waits is never late */
};

static bool is_newer(uint64_t phase, uint64_t than)
{
    return phase > than || phase + LATE <= than;
}

/* Threads arrive at a phase that has ended after another init() alone. */
static bool is_anew(const struct barrier_phase *at, uint64_t phase,
                    uint32_t thread)
{
    return phase <= at->phase && thread != at->thread
           && !(phase == 0 && at->phase == LAST_PHASE);
}

/* Is it one of bar.sync?  Those are counted by themselves. */
static bool is_numbered(const struct softgpu_block *b,
                        const volatile void *object)
{
    const uintptr_t first = (uintptr_t)b->numbered;

    return (uintptr_t)object >= first
           && (uintptr_t)object < first + sizeof b->numbered;
}

static void count_arrival(struct block_profile *p, struct barrier_phase *at,
                          uint64_t phase)
{
    if (at->open_phase != phase)
        at->arrivals = 0;
    at->open_phase = phase;
    p->arrivals += ++at->arrivals > 2 * p->block->count;
}

void profile_ordered(unsigned how, const volatile void *object, uint64_t phase)
{
    struct block_profile *p = softgpu_tls.block->profile;
    const uint32_t thread = index_of(softgpu_tls.block, softgpu_tls.thread);
    struct barrier_phase *at;

    if (!p || is_numbered(p->block, object))
        return;
    at = phase_of(p, object);
    if (!(how & SOFTGPU_ACQUIRES)) {
        at->is_counted &= !is_anew(at, phase, thread);
        count_arrival(p, at, phase);
    } else if (!at->is_counted || is_newer(phase, at->phase)) {
        at->phase = phase;
        at->thread = thread;
        at->is_counted = true;
        p->phase_count++;
    }
}

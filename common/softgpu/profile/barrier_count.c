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

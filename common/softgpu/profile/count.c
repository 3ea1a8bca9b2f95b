/* SPDX-License-Identifier: MIT */
/* One warp instruction that accesses memory: the rules are applied, and what
 * they give is added to its site. */
#include "lanes.h"

enum { WORD = 4, WIDEST = 16 }; /* bytes of a lane's load, in registers */

/* Keep the costliest as the site's example. */
static void keep(struct block_profile *p, uint32_t warp, struct site *site,
                 uint32_t cost, const struct warp_access *access)
{
    struct sample *s = &site->sample;

    if (cost < s->cost || (cost == s->cost && warp >= s->warp))
        return;
    s->cost = cost;
    s->warp = warp;
    s->linear = p->block->linear;
    s->block = p->block->index;
    s->was = *access;
}

static uint8_t lanes_in(const struct warp_access *a, uint64_t sector)
{
    uint8_t n = 0;

    for (uint32_t left = a->active; left; left &= left - 1)
        n += a->at[__builtin_ctz(left)] / RULE_SECTOR == sector;
    return n;
}

static void log_sectors(struct block_profile *p, uint32_t warp, int kind,
                        const struct warp_access *a,
                        const struct global_cost *cost)
{
    static const uint8_t kinds[] = {
        [PICTURE_GLOBAL_LOAD] = CACHE_READ,
        [PICTURE_GLOBAL_STORE] = CACHE_WRITE,
        [PICTURE_GLOBAL_ATOMIC] = CACHE_ATOMIC,
    };
    struct cache_entry e = {.step = p->warps[warp].step, .warp = (uint16_t)warp,
                            .kind = kinds[kind], .lanes = 1};

    for (uint32_t i = 0; i < cost->sectors; i++) {
        e.sector = cost->sector[i];
        if (kind == PICTURE_GLOBAL_ATOMIC)
            e.lanes = lanes_in(a, e.sector);
        cache_note(&p->cache, &e);
    }
}

#define COUNT(c, name, cost)                \
    do {                                    \
        (c)->name##_requests++;             \
        (c)->name##_sectors += (cost).sectors; \
    } while (0)

static uint32_t count_global(struct counters *c, int kind,
                             const struct warp_access *access,
                             struct global_cost *cost)
{
    rule_global(access, cost);
    if (kind == PICTURE_GLOBAL_ATOMIC) {
        COUNT(c, global_atomic, *cost);
        c->global_atomic_passes += rule_atomic(access);
    } else if (kind == PICTURE_GLOBAL_STORE) {
        COUNT(c, global_store, *cost);
        c->global_store_ideal += cost->ideal;
        c->global_store_bytes += cost->bytes;
    } else {
        COUNT(c, global_load, *cost);
        c->global_load_async += access->async;
        c->global_load_bulk += access->async && access->bytes == RULE_SECTOR;
        c->global_load_ideal += cost->ideal;
        c->global_load_bytes += cost->bytes;
    }
    return cost->sectors;
}

static uint32_t count_shared(struct counters *c, int kind,
                             const struct warp_access *access)
{
    struct shared_cost cost;

    if (kind == PICTURE_SHARED_ATOMIC) {
        uint32_t passes = rule_atomic(access);

        c->shared_atomic_requests++;
        c->shared_atomic_passes += passes;
        return passes;
    }
    cost = rule_shared(access);
    if (kind == PICTURE_SHARED_STORE) {
        c->shared_store_requests++;
        c->shared_store_wavefronts += cost.wavefronts;
        c->shared_store_conflicts += cost.wavefronts - cost.passes;
    } else {
        c->shared_load_requests++;
        c->shared_load_wavefronts += cost.wavefronts;
        c->shared_load_conflicts += cost.wavefronts - cost.passes;
    }
    return cost.wavefronts;
}

/* Does each lane share its address with the one `apart` lanes away? */
static bool in_pairs(const struct warp_access *a, unsigned apart)
{
    for (uint32_t left = a->active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);

        if (a->active >> (l ^ apart) & 1 && a->at[l] != a->at[l ^ apart])
            return false;
    }
    return true;
}

/* Do all lanes go on where they were, within their aligned 16 bytes? */
static bool goes_on(const struct recent_load *was, const struct warp_access *a)
{
    if (was->active != a->active || was->bytes != a->bytes)
        return false;
    for (uint32_t left = a->active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);

        if (a->at[l] != was->at[l] + (uint64_t)a->bytes
            || a->at[l] / WIDEST != was->at[l] / WIDEST)
            return false;
    }
    return true;
}

/* A shared load: is it one of several words that a wide load brings? */
static bool joins(struct warp_trace *w, const struct warp_access *a)
{
    struct recent_load *place = &w->recent[w->loads++ % RECENT_LOADS];
    bool found = false;

    for (int i = 0; i < RECENT_LOADS && !found; i++)
        found = goes_on(&w->recent[i], a);
    place->active = a->active;
    place->bytes = a->bytes;
    for (uint32_t left = a->active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);

        place->at[l] = (uint32_t)a->at[l];
    }
    return found && (in_pairs(a, 1) || in_pairs(a, 2));
}

static void forget(struct warp_trace *w)
{
    for (int i = 0; i < RECENT_LOADS; i++)
        w->recent[i].active = 0;
}

void count_barrier(struct warp_trace *w, struct counters *c)
{
    forget(w);
    c->waited_sectors += w->sectors;
    c->waited_copies += w->copies;
    w->sectors = w->copies = 0;
}

/* A load is on its way, until something is done beside it. */
static void count_way(struct warp_trace *w, int kind, bool async,
                      uint32_t sectors)
{
    if (kind == PICTURE_GLOBAL_LOAD) {
        w->sectors += sectors;
        w->copies += async;
    } else if (kind == PICTURE_SHARED_LOAD) {
        w->sectors = w->copies = 0;
    }
}

/* Banks follow from the offset in the block's shared memory. */
static void to_offsets(struct warp_access *access, uint64_t base)
{
    for (uint32_t left = access->active; left; left &= left - 1)
        access->at[__builtin_ctz(left)] -= base;
}

void count_access(struct block_profile *p, uint32_t warp, uint64_t code,
                  int kind, const struct warp_access *access)
{
    int place = site_at(&p->sites, code, kind);
    struct site *site = place < 0 ? NULL : &p->sites.all[place];
    struct warp_access offsets = *access;
    struct global_cost cost;

    p->warps[warp].step++;
    if (!site)
        return;
    switch (kind) {
    case SITE_LOCAL:
        site->counters.local_requests++;
        break;
    case SITE_CONSTANT:
        site->counters.constant_requests++;
        site->counters.constant_passes += rule_constant(access);
        break;
    case PICTURE_GLOBAL_LOAD:
    case PICTURE_GLOBAL_STORE:
    case PICTURE_GLOBAL_ATOMIC:
        keep(p, warp, site,
             count_global(&site->counters, kind, access, &cost), access);
        count_way(&p->warps[warp], kind, access->async, cost.sectors);
        log_sectors(p, warp, kind, access, &cost);
        break;
    default:
        to_offsets(&offsets, (uintptr_t)p->block->arena);
        count_way(&p->warps[warp], kind, false, 0);
        if (kind != PICTURE_SHARED_LOAD)
            forget(&p->warps[warp]);
        else if (access->bytes >= WORD && joins(&p->warps[warp], &offsets))
            site->counters.shared_load_joined++;
        keep(p, warp, site, count_shared(&site->counters, kind, &offsets),
             &offsets);
    }
}

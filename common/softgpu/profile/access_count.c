/* SPDX-License-Identifier: MIT */
/* Counts one warp instruction that accesses memory: its cost by access_cost.h
 * is added to the counters of its site. */
#include "lane_log.h"

/* bytes of a load of one lane */
enum { WORD_BYTES = 4, VECTOR_LOAD_BYTES = 16 };

/* Keep the costliest access of the site as its sample. */
static void update_worst_sample(struct block_profile *p, uint32_t warp,
                                struct site *site, uint32_t cost,
                                const struct warp_access *access)
{
    struct sample *s = &site->sample;

    if (cost < s->cost || (cost == s->cost && warp >= s->warp))
        return;
    s->cost = cost;
    s->warp = warp;
    s->linear = p->block->linear;
    s->block = p->block->index;
    s->access = *access;
}

static uint8_t lanes_in_sector(const struct warp_access *a, uint64_t sector)
{
    uint8_t n = 0;

    for (uint32_t left = a->active; left; left &= left - 1)
        n += a->address[__builtin_ctz(left)] / SECTOR_BYTES == sector;
    return n;
}

static void log_sectors(struct block_profile *p, uint32_t warp, int kind,
                        const struct warp_access *a,
                        const struct global_cost *cost)
{
    static const uint8_t kinds[] = {
        [PATTERN_GLOBAL_LOAD] = CACHE_READ,
        [PATTERN_GLOBAL_STORE] = CACHE_WRITE,
        [PATTERN_GLOBAL_ATOMIC] = CACHE_ATOMIC,
    };
    struct sector_access e = {.step = p->warps[warp].step,
                              .warp = (uint16_t)warp,
                              .kind = kinds[kind],
                              .lanes = !a->async};

    for (uint32_t i = 0; i < cost->sectors; i++) {
        e.sector = cost->sector[i];
        if (kind == PATTERN_GLOBAL_ATOMIC)
            e.lanes = lanes_in_sector(a, e.sector);
        cache_log_append(&p->cache, &e);
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
    const bool bulk = access->async && access->bytes == SECTOR_BYTES;

    global_access_cost(access, cost);
    if (kind == PATTERN_GLOBAL_ATOMIC) {
        COUNT(c, global_atomic, *cost);
        c->global_atomic_passes += atomic_serialization(access);
    } else if (kind == PATTERN_GLOBAL_STORE) {
        COUNT(c, global_store, *cost);
        c->global_store_ideal += cost->ideal;
        c->global_store_bytes += cost->bytes;
    } else {
        COUNT(c, global_load, *cost);
        c->global_load_async += access->async;
        c->global_load_bulk += bulk;
        c->global_load_wavefronts +=
            bulk ? 0 : global_load_wavefronts(access, cost);
        c->global_load_ideal += cost->ideal;
        c->global_load_bytes += cost->bytes;
    }
    return cost->sectors;
}

static uint32_t count_shared(struct counters *c, int kind,
                             const struct warp_access *access)
{
    struct shared_cost cost;

    if (kind == PATTERN_SHARED_ATOMIC) {
        uint32_t passes = atomic_serialization(access);

        c->shared_atomic_requests++;
        c->shared_atomic_passes += passes;
        return passes;
    }
    cost = shared_access_cost(access);
    if (kind == PATTERN_SHARED_STORE) {
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

static void count_constant(struct counters *c, const struct warp_access *access)
{
    const uint32_t passes = constant_passes_of(access);

    c->constant_requests++;
    c->constant_passes += passes;
    c->constant_replays += passes - 1;
}

/* Do lanes l and l ^ lane_xor have the same address, for all active l? */
static bool lane_pairs_match(const struct warp_access *a, unsigned lane_xor)
{
    for (uint32_t left = a->active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);

        if (a->active >> (l ^ lane_xor) & 1
            && a->address[l] != a->address[l ^ lane_xor])
            return false;
    }
    return true;
}

/* Does every lane load what follows its earlier load, within the same aligned
 * 16 bytes? */
static bool extends_load(const struct recent_load *was,
                         const struct warp_access *a)
{
    if (was->active != a->active || was->bytes != a->bytes)
        return false;
    for (uint32_t left = a->active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);

        if (a->address[l] != was->offset[l] + (uint64_t)a->bytes
            || a->address[l] / VECTOR_LOAD_BYTES
                   != was->offset[l] / VECTOR_LOAD_BYTES)
            return false;
    }
    return true;
}

/* Wavefronts of a vector load of `bytes`, which end `behind` bytes before the
 * end of those of `a`.  The quarters of a warp take turns; where lanes share
 * their addresses in pairs, two quarters are served together. */
static uint32_t vector_wavefronts(const struct warp_access *a, uint32_t bytes,
                                  uint32_t behind)
{
    const bool shares = lane_pairs_match(a, 1) || lane_pairs_match(a, 2);
    struct warp_access whole = *a;
    uint32_t n;

    whole.bytes = bytes;
    for (uint32_t left = a->active; left; left &= left - 1)
        whole.address[__builtin_ctz(left)] -= bytes + behind - a->bytes;
    n = shared_access_cost(&whole).wavefronts;
    return shares && bytes > 2 * WORD_BYTES ? (n + 1) / 2 : n;
}

/* Count the wavefronts that a vector load saves: one in the source, or one that
 * nvcc makes of this load and earlier ones. */
static void count_vector_load(struct warp_state *w, struct counters *c,
                              const struct warp_access *a)
{
    struct recent_load *slot =
        &w->recent_loads[w->shared_loads++ % MAX_RECENT_LOADS];
    uint32_t joined = a->bytes, alone, wavefronts;

    for (int i = 0; i < MAX_RECENT_LOADS && joined == a->bytes; i++)
        if (extends_load(&w->recent_loads[i], a))
            joined = w->recent_loads[i].joined + a->bytes;
    slot->active = a->active;
    slot->bytes = a->bytes;
    slot->joined = joined;
    for (uint32_t left = a->active; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);

        slot->offset[l] = (uint32_t)a->address[l];
    }
    alone = shared_access_cost(a).wavefronts;
    if (joined > a->bytes) {
        c->shared_load_joined++;
        alone += vector_wavefronts(a, joined - a->bytes, a->bytes);
    }
    wavefronts = vector_wavefronts(a, joined, 0);
    c->shared_load_saved += alone > wavefronts ? alone - wavefronts : 0;
}

static void clear_recent_loads(struct warp_state *w)
{
    for (int i = 0; i < MAX_RECENT_LOADS; i++)
        w->recent_loads[i].active = 0;
}

void count_barrier(struct warp_state *w, struct counters *c)
{
    clear_recent_loads(w);
    c->waited_copies += w->pending_copies;
    w->pending_copies = w->pending_loads = 0;
}

/* Loads are pending until a barrier, or until the warp loads from shared
 * memory. */
static void track_pending_loads(struct warp_state *w, struct counters *c,
                                int kind, bool async)
{
    if (kind == PATTERN_GLOBAL_LOAD) {
        w->pending_copies += async;
        w->pending_loads += !async;
    } else if (kind == PATTERN_SHARED_LOAD) {
        c->global_load_ahead += w->pending_loads;
        w->pending_copies = w->pending_loads = 0;
    }
}

/* Banks follow from the offset in the block's shared memory. */
static void to_shared_offsets(struct warp_access *access, uint64_t base)
{
    for (uint32_t left = access->active; left; left &= left - 1)
        access->address[__builtin_ctz(left)] -= base;
}

void count_access(struct block_profile *p, uint32_t warp, uint64_t code,
                  int kind, const struct warp_access *access)
{
    int index = sites_find_or_add(&p->sites, code, kind);
    struct site *site = index < 0 ? NULL : &p->sites.items[index];
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
        count_constant(&site->counters, access);
        break;
    case PATTERN_GLOBAL_LOAD:
    case PATTERN_GLOBAL_STORE:
    case PATTERN_GLOBAL_ATOMIC:
        update_worst_sample(p, warp, site,
                            count_global(&site->counters, kind, access, &cost),
                            access);
        track_pending_loads(&p->warps[warp], &site->counters, kind,
                            access->async);
        log_sectors(p, warp, kind, access, &cost);
        break;
    default:
        to_shared_offsets(&offsets, (uintptr_t)p->block->arena);
        track_pending_loads(&p->warps[warp], &site->counters, kind, false);
        if (kind != PATTERN_SHARED_LOAD)
            clear_recent_loads(&p->warps[warp]);
        else if (access->bytes >= WORD_BYTES)
            count_vector_load(&p->warps[warp], &site->counters, &offsets);
        update_worst_sample(p, warp, site,
                            count_shared(&site->counters, kind, &offsets),
                            &offsets);
    }
}

/* SPDX-License-Identifier: MIT */
/** @file
 *  A block's log and its replay through a model of L1: lines of 128 bytes of
 *  four sectors, 8 ways, least recently used replacement.  A load that misses
 *  fills its sector; other warps whose same instruction loads it wait for it,
 *  too.  Stores are written through without allocating.  Atomics
 *  are done in L2 and invalidate the sector.
 */
#include "caches.h"

#include <stdlib.h>
#include <string.h>

#include "sector_sets.h"

#define MAX_LOG_ENTRIES 32768u /* per block: half a megabyte */
#define WAYS 8u

/** A line of L1. */
struct line {
    uint64_t tag;     /* line number + 1; 0: empty */
    uint64_t used;    /* clock of the last access */
    uint32_t sectors; /* bit s: sector s is valid */
    uint32_t filled[4]; /* step in which sector s was loaded from L2 */
};

/** What a load finds in L1. */
enum l1_state { L1_HIT, L1_IN_FLIGHT, L1_MISS };

/** Traffic between L1 and L2. */
struct l2_traffic {
    uint64_t read, written;               /* sectors */
    uint64_t waiting;                     /* loads that wait for L2 */
    uint64_t atomic_lanes[CACHE_REGIONS]; /* lanes of atomics */
};

struct caches {
    struct cache_config config;
    struct line *lines; /* L1, of the block that is replayed */
    uint32_t sets;
    uint64_t clock;
    struct l2_traffic current;              /* the launch that runs */
    /* all launches that have ended */
    uint64_t read, written, waiting, busiest_region;
    struct sector_sets *l2;
};

struct cache_config cache_config(const struct softgpu_card *card,
                                 const struct softgpu_block_resources *needs)
{
    const int fit = softgpu_blocks_per_sm(card, needs);
    const uint32_t blocks = fit > 0 ? (uint32_t)fit : 1;
    const uint32_t shared =
        softgpu_carveout(card, (int)blocks, needs->shared);
    return (struct cache_config){(card->l1_bytes - shared) / blocks,
                                card->l2_bytes,
                                (uint64_t)blocks * (uint64_t)card->sms};
}

/* Keep only the lines of the next sampling level. */
static void subsample_log(struct cache_log *log)
{
    uint32_t kept = 0;
    log->level++;
    for (uint32_t i = 0; i < log->count; i++)
        if (sector_sample_level(log->entries[i].sector) >= log->level)
            log->entries[kept++] = log->entries[i];
    log->count = kept;
}

static int grow(struct cache_log *log)
{
    const uint32_t capacity = log->capacity ? 2 * log->capacity : 256;
    struct sector_access *more =
        realloc(log->entries, capacity * sizeof *log->entries);
    if (!more)
        return -1;
    log->entries = more;
    log->capacity = capacity;
    return 0;
}

/* Regions whose hashes collide share a count. */
static int count_atomic_lanes(struct cache_log *log,
                              const struct sector_access *e)
{
    const uint64_t region = e->sector / (CACHE_REGION / CACHE_SECTOR);
    if (!log->atomic_lanes)
        log->atomic_lanes = calloc(CACHE_REGIONS, sizeof *log->atomic_lanes);
    if (!log->atomic_lanes)
        return -1;
    log->atomic_lanes[cache_hash(region) % CACHE_REGIONS] += e->lanes;
    return 0;
}

int cache_log_append(struct cache_log *log, const struct sector_access *entry)
{
    log->access_count[entry->kind]++;
    if (entry->kind == CACHE_ATOMIC && count_atomic_lanes(log, entry))
        return -1;
    if (sector_sample_level(entry->sector) < log->level)
        return 0;
    if (log->count == log->capacity && grow(log))
        return -1;
    log->sorted = 0;
    log->entries[log->count++] = *entry;
    while (log->count >= MAX_LOG_ENTRIES)
        subsample_log(log);
    return 0;
}

void cache_log_free(struct cache_log *log)
{
    free(log->entries);
    free(log->atomic_lanes);
    memset(log, 0, sizeof *log);
}

#define ORDER(field)                         \
    if (a->field != b->field)                \
        return a->field < b->field ? -1 : 1;

/* Order of replay: the first instructions of all warps, then the second ones.
 */
static int by_step(const void *left, const void *right)
{
    const struct sector_access *a = left, *b = right;
    ORDER(step)
    ORDER(warp)
    ORDER(kind)
    ORDER(sector)
    return 0;
}

void cache_log_sort(struct cache_log *log)
{
    if (log->count && !log->sorted)
        qsort(log->entries, log->count, sizeof *log->entries, by_step);
    log->sorted = 1;
}

void cache_log_clear(struct cache_log *log)
{
    if (log->atomic_lanes)
        memset(log->atomic_lanes, 0, CACHE_REGIONS * sizeof *log->atomic_lanes);
    log->count = log->level = 0;
    memset(log->access_count, 0, sizeof log->access_count);
}

/* The L1 line that holds the tag, or the one to be replaced. */
static struct line *find_line(struct caches *c, uint64_t tag, uint32_t sets)
{
    struct line *set = c->lines + cache_hash(tag) / 64 % sets * WAYS;
    struct line *oldest = set;
    for (struct line *l = set; l < set + WAYS; l++) {
        if (l->tag == tag + 1)
            return l;
        if (l->used < oldest->used)
            oldest = l;
    }
    return oldest;
}

/* Load a sector.  A miss reads it from L2; it is in flight while the same
 * instruction of other warps loads it. */
static enum l1_state read_sector(struct caches *c,
                                 const struct sector_access *e, uint32_t sets)
{
    const uint64_t tag = e->sector / 4;
    const uint32_t bit = 1u << e->sector % 4;
    uint32_t *filled;
    struct line *l = find_line(c, tag, sets);
    if (l->tag != tag + 1)
        *l = (struct line){.tag = tag + 1};
    l->used = ++c->clock;
    filled = &l->filled[e->sector % 4];
    if (l->sectors & bit)
        return *filled == e->step ? L1_IN_FLIGHT : L1_HIT;
    l->sectors |= bit;
    *filled = e->step;
    return L1_MISS;
}

static void invalidate_sector(struct caches *c, uint64_t sector, uint32_t sets)
{
    struct line *l = find_line(c, sector / 4, sets);
    if (l->tag == sector / 4 + 1)
        l->sectors &= ~(1u << sector % 4);
}

/** What the loads of a log need from L2. */
struct replayed_loads {
    uint64_t read;    /* sectors */
    uint64_t waiting; /* instructions with a sector that was not there */
    const struct sector_access *last; /* such an instruction, or NULL */
};

/* Replay a load.  @return 1 if it reads its sector from L2 */
static int replay_load(struct caches *c, struct replayed_loads *loads,
                       const struct sector_access *e, uint32_t sets)
{
    const enum l1_state found = read_sector(c, e, sets);
    const struct sector_access *last = loads->last;
    if (found == L1_HIT)
        return 0;
    if (e->lanes
        && (!last || last->step != e->step || last->warp != e->warp)) {
        loads->waiting++;
        loads->last = e;
    }
    loads->read += found == L1_MISS;
    return found == L1_MISS;
}

/* Replay the sorted log.  @return what its loads need, of those in the log */
static struct replayed_loads replay_log(struct caches *c,
                                        const struct cache_log *log,
                                        uint64_t wave)
{
    const uint32_t sets = c->sets >> log->level ? c->sets >> log->level : 1;
    struct replayed_loads loads = {0};
    memset(c->lines, 0, sets * WAYS * sizeof *c->lines);
    for (uint32_t i = 0; i < log->count; i++) {
        const struct sector_access *e = &log->entries[i];
        if (e->kind == CACHE_READ && !replay_load(c, &loads, e, sets))
            continue;
        if (e->kind == CACHE_ATOMIC)
            invalidate_sector(c, e->sector, sets);
        sector_sets_add(c->l2, e, wave, log->level);
    }
    return loads;
}

struct caches *caches_new(const struct cache_config *config)
{
    struct caches *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->config = *config;
    c->sets = config->l1_bytes / CACHE_LINE / WAYS;
    c->sets = c->sets ? c->sets : 1;
    c->lines = malloc(c->sets * WAYS * sizeof *c->lines);
    c->l2 = sector_sets_new(config->l2_bytes);
    if (c->lines && c->l2)
        return c;
    caches_free(c);
    return NULL;
}

void caches_replay_block(struct caches *c, struct cache_log *log,
                         uint64_t linear)
{
    cache_log_sort(log);
    const struct replayed_loads loads =
        replay_log(c, log, linear / c->config.wave);
    const uint64_t kept = loads.read << log->level;
    const uint64_t reads = log->access_count[CACHE_READ];
    c->current.read +=
        (kept < reads ? kept : reads) + log->access_count[CACHE_ATOMIC];
    c->current.waiting += loads.waiting << log->level;
    c->current.written +=
        log->access_count[CACHE_WRITE] + log->access_count[CACHE_ATOMIC];
    for (int i = 0; log->atomic_lanes && i < CACHE_REGIONS; i++)
        c->current.atomic_lanes[i] += log->atomic_lanes[i];
    cache_log_clear(log);
}

void caches_merge(struct caches *into, struct caches *from)
{
    into->current.read += from->current.read;
    into->current.written += from->current.written;
    into->current.waiting += from->current.waiting;
    for (int i = 0; i < CACHE_REGIONS; i++)
        into->current.atomic_lanes[i] += from->current.atomic_lanes[i];
    sector_sets_merge(into->l2, from->l2);
    caches_clear(from);
}

void caches_clear(struct caches *c)
{
    memset(&c->current, 0, sizeof c->current);
    sector_sets_clear(c->l2);
}

void caches_launch_end(struct caches *c, double share)
{
    uint64_t busiest_region = 0;
    for (int i = 0; i < CACHE_REGIONS; i++)
        busiest_region = c->current.atomic_lanes[i] > busiest_region
                             ? c->current.atomic_lanes[i]
                             : busiest_region;
    c->busiest_region += busiest_region;
    c->read += c->current.read;
    c->written += c->current.written;
    c->waiting += c->current.waiting;
    sector_sets_flush(c->l2, share);
    caches_clear(c);
}

void caches_add_counters(const struct caches *c, struct counters *counters)
{
    counters->l2_read_sectors += c->read;
    counters->l2_write_sectors += c->written;
    counters->global_load_waiting += c->waiting;
    counters->global_atomic_hottest += c->busiest_region;
    sector_sets_count(c->l2, counters);
}

uint64_t caches_l2_sectors(const struct caches *c)
{
    return c ? c->current.read + c->current.written : 0;
}

void caches_free(struct caches *c)
{
    if (!c)
        return;
    free(c->lines);
    sector_sets_free(c->l2);
    free(c);
}

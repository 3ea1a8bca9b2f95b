/* SPDX-License-Identifier: MIT */
/** @file
 *  A block's log and its replay through L1: lines of 128 bytes with four
 *  sectors, 8 ways, the least recently used goes; reads fill sectors, writes
 *  go through without filling, atomics are done in L2 and drop the sector.
 */
#include "caches.h"

#include <stdlib.h>
#include <string.h>

#include "caches_sets.h"

#define LOG_MAX 32768u /* entries a block: half a megabyte */
#define WAYS 8u

/** A line of L1. */
struct line {
    uint64_t tag;     /* line number + 1; 0: empty */
    uint64_t used;    /* when */
    uint32_t sectors; /* bit s: sector s is there */
};

/** What came past L1. */
struct past_l1 {
    uint64_t read, written;      /* sectors */
    uint64_t hot[CACHE_REGIONS]; /* lanes of atomics */
};

struct caches {
    struct cache_shape shape;
    struct line *lines; /* L1 of one block */
    uint32_t sets;
    uint64_t clock;
    struct past_l1 now; /* this launch */
    uint64_t read, written, hottest; /* of those that have ended */
    struct cache_sets *l2;
};

struct cache_shape cache_shape(const struct softgpu_card *card,
                               const struct softgpu_block_needs *needs)
{
    const int fit = softgpu_blocks_per_sm(card, needs);
    const uint32_t blocks = fit > 0 ? (uint32_t)fit : 1;
    const uint32_t shared =
        softgpu_carveout(card, (int)blocks, needs->shared);
    return (struct cache_shape){(card->l1_bytes - shared) / blocks,
                                card->l2_bytes,
                                (uint64_t)blocks * (uint64_t)card->sms};
}

/* Keep only the lines of the next level. */
static void thin(struct cache_log *log)
{
    uint32_t kept = 0;
    log->level++;
    for (uint32_t i = 0; i < log->count; i++)
        if (cache_level(log->entries[i].sector) >= log->level)
            log->entries[kept++] = log->entries[i];
    log->count = kept;
}

static int grow(struct cache_log *log)
{
    const uint32_t room = log->room ? 2 * log->room : 256;
    struct cache_entry *more =
        realloc(log->entries, room * sizeof *log->entries);
    if (!more)
        return -1;
    log->entries = more;
    log->room = room;
    return 0;
}

/* Regions share a count where their hashes meet. */
static int heat(struct cache_log *log, const struct cache_entry *e)
{
    const uint64_t region = e->sector / (CACHE_REGION / CACHE_SECTOR);
    if (!log->hot)
        log->hot = calloc(CACHE_REGIONS, sizeof *log->hot);
    if (!log->hot)
        return -1;
    log->hot[cache_hash(region) % CACHE_REGIONS] += e->lanes;
    return 0;
}

int cache_note(struct cache_log *log, const struct cache_entry *entry)
{
    log->tally[entry->kind]++;
    if (entry->kind == CACHE_ATOMIC && heat(log, entry))
        return -1;
    if (cache_level(entry->sector) < log->level)
        return 0;
    if (log->count == log->room && grow(log))
        return -1;
    log->sorted = 0;
    log->entries[log->count++] = *entry;
    while (log->count >= LOG_MAX)
        thin(log);
    return 0;
}

void cache_log_free(struct cache_log *log)
{
    free(log->entries);
    free(log->hot);
    memset(log, 0, sizeof *log);
}

#define ORDER(field)                         \
    if (a->field != b->field)                \
        return a->field < b->field ? -1 : 1;

/* All warps' first instructions, then all their second ones, and so on. */
static int in_step(const void *left, const void *right)
{
    const struct cache_entry *a = left, *b = right;
    ORDER(step)
    ORDER(warp)
    ORDER(kind)
    ORDER(sector)
    return 0;
}

void cache_log_sort(struct cache_log *log)
{
    if (log->count && !log->sorted)
        qsort(log->entries, log->count, sizeof *log->entries, in_step);
    log->sorted = 1;
}

void cache_log_clear(struct cache_log *log)
{
    if (log->hot)
        memset(log->hot, 0, CACHE_REGIONS * sizeof *log->hot);
    log->count = log->level = 0;
    memset(log->tally, 0, sizeof log->tally);
}

/* The line of L1 that holds or will hold this one. */
static struct line *seek(struct caches *c, uint64_t tag, uint32_t sets)
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

/* 1 when the sector must be read from L2. */
static int misses(struct caches *c, uint64_t sector, uint32_t sets)
{
    const uint64_t tag = sector / 4;
    const uint32_t bit = 1u << sector % 4;
    struct line *l = seek(c, tag, sets);
    if (l->tag != tag + 1)
        *l = (struct line){.tag = tag + 1};
    l->used = ++c->clock;
    const int miss = !(l->sectors & bit);
    l->sectors |= bit;
    return miss;
}

static void drop(struct caches *c, uint64_t sector, uint32_t sets)
{
    struct line *l = seek(c, sector / 4, sets);
    if (l->tag == sector / 4 + 1)
        l->sectors &= ~(1u << sector % 4);
}

/* Play the sorted log.  @return sectors read past L1, of those kept */
static uint64_t play(struct caches *c, const struct cache_log *log,
                     uint64_t wave)
{
    const uint32_t sets = c->sets >> log->level ? c->sets >> log->level : 1;
    uint64_t read = 0;
    memset(c->lines, 0, sets * WAYS * sizeof *c->lines);
    for (uint32_t i = 0; i < log->count; i++) {
        const struct cache_entry *e = &log->entries[i];
        if (e->kind == CACHE_READ && !misses(c, e->sector, sets))
            continue;
        if (e->kind == CACHE_ATOMIC)
            drop(c, e->sector, sets);
        read += e->kind == CACHE_READ;
        cache_sets_add(c->l2, e, wave, log->level);
    }
    return read;
}

struct caches *caches_new(const struct cache_shape *shape)
{
    struct caches *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->shape = *shape;
    c->sets = shape->l1_bytes / CACHE_LINE / WAYS;
    c->sets = c->sets ? c->sets : 1;
    c->lines = malloc(c->sets * WAYS * sizeof *c->lines);
    c->l2 = cache_sets_new(shape->l2_bytes);
    if (c->lines && c->l2)
        return c;
    caches_free(c);
    return NULL;
}

void caches_block(struct caches *c, struct cache_log *log, uint64_t linear)
{
    cache_log_sort(log);
    const uint64_t kept = play(c, log, linear / c->shape.wave) << log->level;
    const uint64_t reads = log->tally[CACHE_READ];
    c->now.read += (kept < reads ? kept : reads) + log->tally[CACHE_ATOMIC];
    c->now.written += log->tally[CACHE_WRITE] + log->tally[CACHE_ATOMIC];
    for (int i = 0; log->hot && i < CACHE_REGIONS; i++)
        c->now.hot[i] += log->hot[i];
    cache_log_clear(log);
}

void caches_merge(struct caches *into, struct caches *from)
{
    into->now.read += from->now.read;
    into->now.written += from->now.written;
    for (int i = 0; i < CACHE_REGIONS; i++)
        into->now.hot[i] += from->now.hot[i];
    cache_sets_merge(into->l2, from->l2);
    caches_clear(from);
}

void caches_clear(struct caches *c)
{
    memset(&c->now, 0, sizeof c->now);
    cache_sets_clear(c->l2);
}

void caches_launch_end(struct caches *c, double share)
{
    uint64_t hottest = 0;
    for (int i = 0; i < CACHE_REGIONS; i++)
        hottest = c->now.hot[i] > hottest ? c->now.hot[i] : hottest;
    c->hottest += hottest;
    c->read += c->now.read;
    c->written += c->now.written;
    cache_sets_flush(c->l2, share);
    caches_clear(c);
}

void caches_count(const struct caches *c, struct counters *counters)
{
    counters->l2_read_sectors += c->read;
    counters->l2_write_sectors += c->written;
    counters->global_atomic_hottest += c->hottest;
    cache_sets_count(c->l2, counters);
}

void caches_free(struct caches *c)
{
    if (!c)
        return;
    free(c->lines);
    cache_sets_free(c->l2);
    free(c);
}

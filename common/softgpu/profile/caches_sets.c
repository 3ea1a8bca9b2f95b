/* SPDX-License-Identifier: MIT */
/** @file
 *  The sets: one open hash table whose entries say "this sector, in this
 *  wave" or "this sector, ever", with a bit for reads and one for writes.
 */
#include "caches_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAVE_BITS 19
#define EVER ((1u << WAVE_BITS) - 1) /* in place of a wave */
#define READ 1u
#define WRITTEN 2u
#define ROOM_LEAST (1u << 10) /* slots */
#define ROOM_MOST (1u << 19)  /* 4 MB */

struct cache_sets {
    uint64_t *slots; /* sector, wave, two bits; 0: empty */
    uint32_t room, used; /* room is a power of two */
    uint32_t level; /* one line of 2^level is kept */
    uint64_t l2_bytes;
    uint64_t read, written; /* bytes of memory, launches that have ended */
};

/* Sectors of reads and of writes. */
struct sum {
    uint64_t read, written;
};

static void put(struct cache_sets *s, uint64_t key, uint64_t bits)
{
    uint64_t at = cache_hash(key) & (s->room - 1);
    while (s->slots[at] && s->slots[at] >> 2 != key)
        at = (at + 1) & (s->room - 1);
    s->used += !s->slots[at];
    s->slots[at] |= key << 2 | bits;
}

static uint64_t *empty(uint32_t room)
{
    uint64_t *slots = calloc(room, sizeof *slots);
    if (slots)
        return slots;
    fprintf(stderr, "softgpu: no memory left for the profile\n");
    exit(1);
}

/* Into a table of another size, without the lines below the level. */
static void rebuild(struct cache_sets *s, uint32_t room)
{
    uint64_t *old = s->slots;
    const uint32_t n = s->room;
    s->slots = empty(room);
    s->room = room;
    s->used = 0;
    for (uint32_t i = 0; i < n; i++)
        if (old[i] && cache_level(old[i] >> 2 >> WAVE_BITS) >= s->level)
            put(s, old[i] >> 2, old[i] & 3);
    free(old);
}

/* Keep only the lines of a higher level. */
static void thin(struct cache_sets *s, uint32_t level)
{
    s->level = level;
    rebuild(s, s->room);
}

/* Room for two more. */
static void make_room(struct cache_sets *s)
{
    while (s->used + 2 > s->room / 4 * 3)
        if (s->room < ROOM_MOST)
            rebuild(s, 2 * s->room);
        else
            thin(s, s->level + 1);
}

struct cache_sets *cache_sets_new(uint64_t l2_bytes)
{
    struct cache_sets *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->l2_bytes = l2_bytes;
    s->room = ROOM_LEAST;
    s->slots = empty(s->room);
    return s;
}

void cache_sets_add(struct cache_sets *s, const struct cache_entry *entry,
                    uint64_t wave, uint32_t level)
{
    static const uint8_t bits[] = {READ, WRITTEN, READ | WRITTEN};
    if (level > s->level)
        thin(s, level);
    make_room(s);
    if (cache_level(entry->sector) < s->level)
        return;
    const uint64_t sector = entry->sector << WAVE_BITS;
    put(s, sector | wave % EVER, bits[entry->kind]);
    put(s, sector | EVER, bits[entry->kind]);
}

void cache_sets_merge(struct cache_sets *into, const struct cache_sets *from)
{
    if (from->level > into->level)
        thin(into, from->level);
    for (uint32_t i = 0; i < from->room; i++) {
        const uint64_t slot = from->slots[i];
        make_room(into);
        if (slot && cache_level(slot >> 2 >> WAVE_BITS) >= into->level)
            put(into, slot >> 2, slot & 3);
    }
}

void cache_sets_clear(struct cache_sets *s)
{
    if (s->used)
        memset(s->slots, 0, s->room * sizeof *s->slots);
    s->used = s->level = 0;
}

/* Bytes of memory that the sets stand for.  A sector that comes back in
 * another wave was thrown out with the odds that the footprint leaves. */
static struct sum traffic(const struct cache_sets *s, double share)
{
    struct sum ever = {0, 0}, waves = {0, 0};
    uint64_t footprint = 0;
    for (uint32_t i = 0; i < s->room; i++) {
        const uint64_t slot = s->slots[i];
        struct sum *to = (slot >> 2 & EVER) == EVER ? &ever : &waves;
        footprint += slot && to == &ever;
        to->read += slot & READ ? 1 : 0;
        to->written += slot & WRITTEN ? 1 : 0;
    }
    const double scale = (double)(1ull << s->level) * CACHE_SECTOR;
    const double bytes = (double)footprint * scale / share;
    const double lost = bytes > (double)s->l2_bytes
                            ? 1 - (double)s->l2_bytes / bytes
                            : 0;
    const double again_read = (double)(waves.read - ever.read) * lost;
    const double again_written = (double)(waves.written - ever.written) * lost;
    return (struct sum){
        (uint64_t)(((double)ever.read + again_read) * scale),
        (uint64_t)(((double)ever.written + again_written) * scale)};
}

void cache_sets_flush(struct cache_sets *s, double share)
{
    if (!s->used)
        return;
    const struct sum bytes = traffic(s, share);
    s->read += bytes.read;
    s->written += bytes.written;
    cache_sets_clear(s);
}

void cache_sets_count(const struct cache_sets *s, struct counters *counters)
{
    counters->dram_read_bytes += s->read;
    counters->dram_write_bytes += s->written;
}

void cache_sets_free(struct cache_sets *s)
{
    if (!s)
        return;
    free(s->slots);
    free(s);
}

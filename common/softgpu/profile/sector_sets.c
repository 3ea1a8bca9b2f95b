/* SPDX-License-Identifier: MIT */
/** @file
 *  One hash table with open addressing.  An entry means "this sector in this
 *  wave" or "this sector in any wave", with one bit for reads and one for
 *  writes.
 */
#include "sector_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAVE_BITS 19
#define ANY_WAVE ((1u << WAVE_BITS) - 1) /* instead of a wave number */
#define READ 1u
#define WRITTEN 2u
#define MIN_SLOTS (1u << 10) /* slots */
#define MAX_SLOTS (1u << 19)  /* 4 MB */

struct sector_sets {
    uint64_t *slots;         /* sector, wave, two bits; 0: empty */
    uint32_t capacity, used; /* slots, a power of two; used ones */
    uint32_t level;          /* one line of 2^level is kept */
    uint64_t l2_bytes;
    uint64_t read, written; /* bytes of DRAM, launches that have ended */
};

/* Sectors, or bytes, read and written. */
struct sum {
    uint64_t read, written;
};

static void insert_slot(struct sector_sets *s, uint64_t key, uint64_t bits)
{
    uint64_t at = cache_hash(key) & (s->capacity - 1);
    while (s->slots[at] && s->slots[at] >> 2 != key)
        at = (at + 1) & (s->capacity - 1);
    s->used += !s->slots[at];
    s->slots[at] |= key << 2 | bits;
}

static uint64_t *allocate_slots(uint32_t capacity)
{
    uint64_t *slots = calloc(capacity, sizeof *slots);
    if (slots)
        return slots;
    fprintf(stderr, "softgpu: no memory left for the profile\n");
    exit(1);
}

/* Move the entries of sampled lines to a table of another size. */
static void resize_table(struct sector_sets *s, uint32_t capacity)
{
    uint64_t *old = s->slots;
    const uint32_t n = s->capacity;
    s->slots = allocate_slots(capacity);
    s->capacity = capacity;
    s->used = 0;
    for (uint32_t i = 0; i < n; i++)
        if (old[i] && sector_sample_level(old[i] >> 2 >> WAVE_BITS) >= s->level)
            insert_slot(s, old[i] >> 2, old[i] & 3);
    free(old);
}

/* Keep only the lines of a higher sampling level. */
static void subsample_sets(struct sector_sets *s, uint32_t level)
{
    s->level = level;
    resize_table(s, s->capacity);
}

/* Reserve slots for two more entries. */
static void reserve_slots(struct sector_sets *s)
{
    while (s->used + 2 > s->capacity / 4 * 3)
        if (s->capacity < MAX_SLOTS)
            resize_table(s, 2 * s->capacity);
        else
            subsample_sets(s, s->level + 1);
}

struct sector_sets *sector_sets_new(uint64_t l2_bytes)
{
    struct sector_sets *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->l2_bytes = l2_bytes;
    s->capacity = MIN_SLOTS;
    s->slots = allocate_slots(s->capacity);
    return s;
}

void sector_sets_add(struct sector_sets *s, const struct sector_access *entry,
                     uint64_t wave, uint32_t level)
{
    static const uint8_t bits[] = {READ, WRITTEN, READ | WRITTEN};
    if (level > s->level)
        subsample_sets(s, level);
    reserve_slots(s);
    if (sector_sample_level(entry->sector) < s->level)
        return;
    const uint64_t sector = entry->sector << WAVE_BITS;
    insert_slot(s, sector | wave % ANY_WAVE, bits[entry->kind]);
    insert_slot(s, sector | ANY_WAVE, bits[entry->kind]);
}

void sector_sets_merge(struct sector_sets *into, const struct sector_sets *from)
{
    if (from->level > into->level)
        subsample_sets(into, from->level);
    for (uint32_t i = 0; i < from->capacity; i++) {
        const uint64_t slot = from->slots[i];
        reserve_slots(into);
        if (slot && sector_sample_level(slot >> 2 >> WAVE_BITS) >= into->level)
            insert_slot(into, slot >> 2, slot & 3);
    }
}

void sector_sets_clear(struct sector_sets *s)
{
    if (s->used)
        memset(s->slots, 0, s->capacity * sizeof *s->slots);
    s->used = s->level = 0;
}

/* Bytes of DRAM traffic.  A sector that another wave accesses again misses
 * with the probability that the footprint exceeds L2 by. */
static struct sum dram_traffic(const struct sector_sets *s, double share)
{
    struct sum ever = {0, 0}, waves = {0, 0};
    uint64_t footprint = 0;
    for (uint32_t i = 0; i < s->capacity; i++) {
        const uint64_t slot = s->slots[i];
        struct sum *to = (slot >> 2 & ANY_WAVE) == ANY_WAVE ? &ever : &waves;
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

void sector_sets_flush(struct sector_sets *s, double share)
{
    if (!s->used)
        return;
    const struct sum bytes = dram_traffic(s, share);
    s->read += bytes.read;
    s->written += bytes.written;
    sector_sets_clear(s);
}

void sector_sets_count(const struct sector_sets *s, struct counters *counters)
{
    counters->dram_read_bytes += s->read;
    counters->dram_write_bytes += s->written;
}

void sector_sets_free(struct sector_sets *s)
{
    if (!s)
        return;
    free(s->slots);
    free(s);
}

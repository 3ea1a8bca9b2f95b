/* SPDX-License-Identifier: MIT */
/** @file
 *  L2 and memory, from sets of sectors: what a kernel touched, and in which
 *  wave of blocks.  Used by caches.c alone.
 */
#ifndef SOFTGPU_CACHES_SETS_H
#define SOFTGPU_CACHES_SETS_H

#include "caches.h"

/** The sets of one kernel; opaque. */
struct cache_sets;

/** Spread the bits of a number over all bits (splitmix64). */
static inline uint64_t cache_hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/** How far thinning leaves a sector in place: the sectors of one line of two
 *  have level 1 or more, of one of four level 2 or more, and so on. */
static inline uint32_t cache_level(uint64_t sector)
{
    const uint64_t hash = cache_hash(sector / (CACHE_LINE / CACHE_SECTOR));
    return hash ? (uint32_t)__builtin_ctzll(hash) : 63;
}

/** For an L2 of so many bytes.  @return NULL without memory */
struct cache_sets *cache_sets_new(uint64_t l2_bytes);
/** A sector came past L1 in a wave; its log kept one line of 2^level. */
void cache_sets_add(struct cache_sets *sets, const struct cache_entry *entry,
                    uint64_t wave, uint32_t level);
/** Add what another one has not flushed; it keeps it. */
void cache_sets_merge(struct cache_sets *into, const struct cache_sets *from);
/** Forget what was not flushed. */
void cache_sets_clear(struct cache_sets *sets);
/** The kernel's launch has ended: count it and start empty.
 *  @param share of its blocks that were watched, over 0 */
void cache_sets_flush(struct cache_sets *sets, double share);
/** Add to the counters the bytes of the launches that have ended. */
void cache_sets_count(const struct cache_sets *sets,
                      struct counters *counters);
/** Give back the memory; NULL is fine. */
void cache_sets_free(struct cache_sets *sets);

#endif

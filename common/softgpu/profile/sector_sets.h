/* SPDX-License-Identifier: MIT */
/** @file
 *  DRAM traffic from sets of sectors: which sectors a kernel accessed past L1,
 *  and in which wave of blocks.  Used by caches.c only.
 */
#ifndef SOFTGPU_SECTOR_SETS_H
#define SOFTGPU_SECTOR_SETS_H

#include "caches.h"

/** The sets of one kernel; opaque. */
struct sector_sets;

/** Hash a number (splitmix64). */
static inline uint64_t cache_hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/** The sampling level of a sector: half of all lines have level 1 or more, a
 *  quarter level 2 or more, and so on. */
static inline uint32_t sector_sample_level(uint64_t sector)
{
    const uint64_t hash = cache_hash(sector / (CACHE_LINE / CACHE_SECTOR));
    return hash ? (uint32_t)__builtin_ctzll(hash) : 63;
}

/** Empty sets.
 *  @param l2_bytes  size of L2
 *  @return to be freed by sector_sets_free(); NULL without memory */
struct sector_sets *sector_sets_new(uint64_t l2_bytes);
/** Add a sector accessed past L1.
 *  @param sets   to add to
 *  @param entry  the access
 *  @param wave   of its block
 *  @param level  sampling level of the log that it comes from */
void sector_sets_add(struct sector_sets *sets,
                     const struct sector_access *entry, uint64_t wave,
                     uint32_t level);
/** Add the sectors of other sets, which keep them. */
void sector_sets_merge(struct sector_sets *into,
                       const struct sector_sets *from);
/** Remove the sectors of the launch that has not ended. */
void sector_sets_clear(struct sector_sets *sets);
/** The launch has ended: add its DRAM traffic to the sums, remove its sectors.
 *  @param sets   of the kernel
 *  @param share  of its blocks that were sampled, above 0 */
void sector_sets_flush(struct sector_sets *sets, double share);
/** Add the DRAM bytes of the launches that have ended to the counters. */
void sector_sets_count(const struct sector_sets *sets,
                       struct counters *counters);
/** Free the sets; NULL is ignored. */
void sector_sets_free(struct sector_sets *sets);

#endif

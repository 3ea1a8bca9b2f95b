/* SPDX-License-Identifier: MIT */
/** @file
 *  A small model of the caches: what a kernel's sectors cost beyond L1.
 *
 *  The result does not depend on the order in which blocks or threads ran, nor
 *  on how many OS threads there were.  Two things make it so:
 *
 *  - L1 is replayed block by block, each cold, with a block's share of the SM's
 *    L1.  A block keeps a log, sorted when it ends: warps advance in step.
 *  - L2 and memory are counted from *sets* of sectors, which know no order.  A
 *    sector touched twice in one wave of blocks is fetched once; in another
 *    wave again only if the kernel's footprint exceeds L2, and then with the
 *    odds that it was thrown out.  L2 is cold when a kernel begins and written
 *    back when it ends, as under Nsight Compute.
 *
 *  Memory is bounded: a log or set that grows too large keeps every second
 *  line, then every fourth, and so on, and the cache shrinks with it.  Which
 *  lines stay depends on their addresses alone.
 */
#ifndef SOFTGPU_CACHES_H
#define SOFTGPU_CACHES_H

#include "../cards/occupancy.h"
#include "counters.h"

enum { CACHE_SECTOR = 32, CACHE_LINE = 128 };

/** Atomics meet in the slice of L2 that their kilobyte belongs to. */
enum { CACHE_REGION = 1024, CACHE_REGIONS = 1024 };

/** What a warp did with a sector. */
enum cache_kind { CACHE_READ, CACHE_WRITE, CACHE_ATOMIC };

/** What a kernel finds on the card. */
struct cache_shape {
    uint32_t l1_bytes; /**< of the SM's L1, for one block */
    uint64_t l2_bytes; /**< of the card */
    uint64_t wave;     /**< blocks that the card holds at a time */
};

/** The shape for blocks with these needs; one block a SM at least. */
struct cache_shape cache_shape(const struct softgpu_card *card,
                               const struct softgpu_block_needs *needs);

/** One sector touched by one warp instruction. */
struct cache_entry {
    uint64_t sector; /**< address / CACHE_SECTOR */
    uint32_t step;   /**< rises with each instruction of the warp */
    uint16_t warp;   /**< of the block */
    uint8_t kind;    /**< enum cache_kind */
    uint8_t lanes;   /**< of an atomic: lanes in this sector, at least 1 */
};

/** What one block touched; all zero is empty. */
struct cache_log {
    struct cache_entry *entries; /**< the log's own memory */
    uint32_t count, room;
    uint32_t level;    /**< one line of 2^level is kept */
    int sorted;        /**< 1: by cache_log_sort */
    uint64_t tally[3]; /**< all sectors by kind, kept or not */
    uint64_t *hot; /**< lanes of atomics by region, or NULL: none yet */
};

/** Note a sector.  Steps of one warp must rise, and be the same however the
 *  threads were ordered.  @return 0, or -1 without memory */
int cache_note(struct cache_log *log, const struct cache_entry *entry);
/** Bring the log into the order in which it is played; caches_block() does so
 *  itself, but may be called under a lock. */
void cache_log_sort(struct cache_log *log);
/** Forget all, keep the memory. */
void cache_log_clear(struct cache_log *log);
/** Give back the log's memory; it is empty then. */
void cache_log_free(struct cache_log *log);

/** Sectors that a kernel touched beyond L1; opaque. */
struct caches;

/** For one kernel.  @return NULL without memory; free with caches_free() */
struct caches *caches_new(const struct cache_shape *shape);
/** A block has ended: play its log through L1 and empty it.  Not locked: one
 *  caller at a time.  @param linear the block's number in the grid */
void caches_block(struct caches *caches, struct cache_log *log,
                  uint64_t linear);
/** Add what other blocks of the same launch touched, of which no launch has
 *  ended; `from` is empty then. */
void caches_merge(struct caches *into, struct caches *from);
/** Forget all of a launch that has not ended. */
void caches_clear(struct caches *caches);
/** A launch has ended: what it left in L2 is lost to the next.
 *  @param share of its blocks that were watched, over 0 and at most 1 */
void caches_launch_end(struct caches *caches, double share);
/** Add to the counters what was counted of launches that have ended: sectors
 *  of L2, bytes of memory, the busiest kilobyte of atomics. */
void caches_count(const struct caches *caches, struct counters *counters);
/** Give back the memory; NULL is fine. */
void caches_free(struct caches *caches);

#endif

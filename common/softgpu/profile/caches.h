/* SPDX-License-Identifier: MIT */
/** @file
 *  A model of the caches: L1 hits, L2 and DRAM traffic of a kernel.
 *
 *  The result does not depend on the order in which blocks or threads ran, nor
 *  on the number of OS threads, for two reasons:
 *
 *  - L1 is replayed block by block, each time from a cold cache of the size of
 *    a block's share of the SM's L1.  A block logs its sectors; the log is
 *    sorted when the block ends, so that its warps advance in lockstep.
 *  - L2 and DRAM are modeled by *sets* of sectors, which have no order.  A
 *    sector that blocks of one wave access several times is read once.  If
 *    another wave accesses it again, it misses only if the kernel's footprint
 *    exceeds L2, with probability 1 - L2 / footprint.  L2 is flushed before
 *    and after each kernel, as Nsight Compute does.
 *
 *  Memory is bounded: a log or set that grows too large is subsampled.  It
 *  keeps every second cache line, then every fourth, and so on, and the cache
 *  shrinks alike.  A hash of the address decides which lines are kept.
 */
#ifndef SOFTGPU_CACHES_H
#define SOFTGPU_CACHES_H

#include "common/softgpu/cards/occupancy.h"
#include "counters.h"

enum { CACHE_SECTOR = 32, CACHE_LINE = 128 /**< bytes */ };

/** Atomics are executed in the L2 slice that their region of 1 KB maps to. */
enum { CACHE_REGION = 1024, CACHE_REGIONS = 1024 };

/** Kinds of access. */
enum cache_kind { CACHE_READ, CACHE_WRITE, CACHE_ATOMIC };

/** Sizes of the caches for one kernel. */
struct cache_config {
    uint32_t l1_bytes; /**< one block's share of the SM's L1 */
    uint64_t l2_bytes; /**< of the GPU */
    uint64_t wave;     /**< resident blocks of the whole GPU */
};

/** The sizes for a kernel.
 *  @param card   the GPU
 *  @param needs  of one block; at least one block per SM is assumed */
struct cache_config cache_config(const struct softgpu_card *card,
                                 const struct softgpu_block_resources *needs);

/** One sector accessed by one warp instruction. */
struct sector_access {
    uint64_t sector; /**< address / CACHE_SECTOR */
    uint32_t step;   /**< number of the instruction in its warp */
    uint16_t warp;   /**< of the block */
    uint8_t kind;    /**< enum cache_kind */
    uint8_t lanes;   /**< of an atomic: lanes in this sector, at least 1; of a
                          load: 1, or 0 if it is an asynchronous copy */
};

/** The sectors that one block accessed; all zero is an empty log. */
struct cache_log {
    struct sector_access *entries; /**< owned */
    uint32_t count, capacity;      /**< of entries */
    uint32_t level; /**< sampling level: one line of 2^level is kept */
    int sorted;     /**< 1: by cache_log_sort() */
    uint64_t access_count[3]; /**< accesses by kind, kept or not */
    uint64_t *atomic_lanes;   /**< lanes of atomics by region; NULL: none yet */
};

/** Append an access.  Steps of one warp must rise, and must not depend on the
 *  order in which threads ran.  @return 0, or -1 without memory */
int cache_log_append(struct cache_log *log, const struct sector_access *entry);
/** Sort the log into the order of its replay.  caches_replay_block() sorts a
 *  log that is not sorted, but may be called with a lock held. */
void cache_log_sort(struct cache_log *log);
/** Remove all entries; the memory is kept. */
void cache_log_clear(struct cache_log *log);
/** Free the memory; the log is empty then. */
void cache_log_free(struct cache_log *log);

/** The caches of one kernel; opaque. */
struct caches;

/** The caches of one kernel.
 *  @return to be freed by caches_free(); NULL without memory */
struct caches *caches_new(const struct cache_config *config);
/** Replay the log of a block that has ended through L1, and empty it.  Not
 *  thread-safe.
 *  @param caches  of the kernel
 *  @param log     of the block
 *  @param linear  linear index of the block in the grid */
void caches_replay_block(struct caches *caches, struct cache_log *log,
                         uint64_t linear);
/** Add the accesses of other blocks of the same launch, which has not ended;
 *  `from` is empty then. */
void caches_merge(struct caches *into, struct caches *from);
/** Drop a launch that has not ended. */
void caches_clear(struct caches *caches);
/** A launch has ended: add it to the sums, and flush L2.
 *  @param caches  of the kernel
 *  @param share   of its blocks that were sampled: above 0, at most 1 */
void caches_launch_end(struct caches *caches, double share);
/** Add the sums of the launches that have ended to the counters: L2 sectors,
 *  DRAM bytes, lanes of atomics in the busiest region. */
void caches_add_counters(const struct caches *caches,
                         struct counters *counters);
/** Sectors that the launch which has not ended read from L2 or wrote to it;
 *  0 for NULL. */
uint64_t caches_l2_sectors(const struct caches *caches);
/** Free the caches; NULL is ignored. */
void caches_free(struct caches *caches);

#endif

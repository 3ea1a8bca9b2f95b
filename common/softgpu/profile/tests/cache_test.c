/* SPDX-License-Identifier: MIT */
/* The cache model: streaming and repeated reads with results computed by hand,
 * and their independence of the order of blocks and threads. */
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/profile/caches.h"
#include "model_tests.h"

/* 16 KB of L1 per block, 1 MB of L2, waves of 10 blocks. */
static const struct cache_config small = {16384, 1 << 20, 10};

static struct cache_log new_log(void)
{
    struct cache_log log;
    memset(&log, 0, sizeof log);
    return log;
}

/* One warp accesses n sectors from `first` on, one per step. */
static void log_accesses(struct cache_log *log, enum cache_kind kind,
                         uint64_t first, uint32_t n)
{
    static uint32_t step;
    for (uint32_t i = 0; i < n; i++) {
        const struct sector_access e = {first + i, ++step, 0, (uint8_t)kind, 1};
        CU_ASSERT_EQUAL(cache_log_append(log, &e), 0);
    }
}

/* Counters at the end of the only launch. */
static struct counters result(struct caches *caches, struct cache_log *log)
{
    struct counters c;
    memset(&c, 0, sizeof c);
    caches_launch_end(caches, 1);
    caches_add_counters(caches, &c);
    caches_free(caches);
    cache_log_free(log);
    return c;
}

static void streaming_reads(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    log_accesses(&log, CACHE_READ, 1000, 4000);
    log_accesses(&log, CACHE_WRITE, 9000, 500);
    caches_replay_block(caches, &log, 0);
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 4000);
    CU_ASSERT_EQUAL(c.dram_read_bytes, 4000 * 32);
    CU_ASSERT_EQUAL(c.l2_write_sectors, 500);
    CU_ASSERT_EQUAL(c.dram_write_bytes, 500 * 32);
}

/* Half of L1 read again hits; four times L1 read again misses. */
static void l1_hits(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    log_accesses(&log, CACHE_READ, 0, 200);
    log_accesses(&log, CACHE_READ, 0, 200);
    caches_replay_block(caches, &log, 0);
    log_accesses(&log, CACHE_READ, 4096, 2048);
    log_accesses(&log, CACHE_READ, 4096, 2048);
    caches_replay_block(caches, &log, 1);
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 200 + 2 * 2048);
    CU_ASSERT_EQUAL(c.dram_read_bytes, (200 + 2048) * 32);
}

/* A load that L1 misses waits, and so do other warps that load the same sector
 * by the same instruction; not those that load it later.  Two sectors of one
 * instruction are one load. */
static void loads_that_wait(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint32_t step = 1; step <= 2; step++)
        for (uint16_t warp = 0; warp < 3; warp++)
            for (uint64_t sector = 40; sector < 42; sector++) {
                const struct sector_access e = {sector, step, warp, CACHE_READ,
                                                1};
                CU_ASSERT_EQUAL(cache_log_append(&log, &e), 0);
            }
    caches_replay_block(caches, &log, 0);
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 2);
    CU_ASSERT_EQUAL(c.global_load_waiting, 3);
}

/* A set of 8 lines is full; the line that is read again stays. */
static void l1_replaces_least_recently_used(void)
{
    const struct cache_config one_set = {8 * 128, 1 << 20, 10};
    struct caches *caches = caches_new(&one_set);
    struct cache_log log = new_log();
    for (uint64_t line = 0; line < 8; line++)
        log_accesses(&log, CACHE_READ, 4 * line, 1);
    log_accesses(&log, CACHE_READ, 0, 1);
    log_accesses(&log, CACHE_READ, 4 * 8, 1); /* replaces line 1 */
    log_accesses(&log, CACHE_READ, 0, 1);
    caches_replay_block(caches, &log, 0);
    CU_ASSERT_EQUAL(result(caches, &log).l2_read_sectors, 9);
}

/* Each block begins with a cold L1; L2 is shared. */
static void l2_hits(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t block = 0; block < 30; block++) {
        log_accesses(&log, CACHE_READ, 0, 100);
        caches_replay_block(caches, &log, block);
    }
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 30 * 100);
    CU_ASSERT_EQUAL(c.dram_read_bytes, 100 * 32);
}

/* Three waves read the same 2 MB: half of it hits in an L2 of 1 MB. */
static void footprint_exceeds_l2(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t block = 0; block < 30; block++) {
        log_accesses(&log, CACHE_READ, block % 10 * 6554, 6554);
        caches_replay_block(caches, &log, block);
    }
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 30 * 6554);
    CU_ASSERT_DOUBLE_EQUAL((double)c.dram_read_bytes, 65540 * 32 * 2.0, 32000);
}

static void launches_are_cold(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    log_accesses(&log, CACHE_READ, 0, 100);
    caches_replay_block(caches, &log, 0);
    caches_launch_end(caches, 1);
    log_accesses(&log, CACHE_READ, 0, 100);
    caches_replay_block(caches, &log, 0);
    CU_ASSERT_EQUAL(result(caches, &log).dram_read_bytes, 200 * 32);
}

/* 100 atomics of 8 lanes on one word, 50 of 1 lane elsewhere. */
static void atomics(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint32_t i = 0; i < 150; i++) {
        const struct sector_access e = {i < 100 ? 7 : 32 * i, i, 0,
                                        CACHE_ATOMIC, i < 100 ? 8 : 1};
        CU_ASSERT_EQUAL(cache_log_append(&log, &e), 0);
    }
    caches_replay_block(caches, &log, 0);
    const struct counters c = result(caches, &log);
    CU_ASSERT(c.global_atomic_hottest >= 800 && c.global_atomic_hottest < 805);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 150);
    CU_ASSERT_EQUAL(c.l2_write_sectors, 150);
    CU_ASSERT_EQUAL(c.dram_write_bytes, 51 * 32);
}

/* A read of the sector misses before the atomic and after it. */
static void atomics_invalidate_l1(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    log_accesses(&log, CACHE_READ, 7, 1);
    log_accesses(&log, CACHE_ATOMIC, 7, 1);
    log_accesses(&log, CACHE_READ, 7, 1);
    caches_replay_block(caches, &log, 0);
    CU_ASSERT_EQUAL(result(caches, &log).l2_read_sectors, 3);
}

static uint64_t random_below(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

enum { BLOCKS = 24, WARPS = 4 };

/* The same accesses of each block, with its warps in a random order. */
static struct counters replay_shuffled(uint32_t steps, uint64_t seed)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t i = 0; i < BLOCKS; i++) {
        const uint64_t block = (i * 7 + seed) % BLOCKS;
        for (uint64_t w = 0; w < WARPS; w++) {
            const uint64_t warp = (w + seed) % WARPS;
            uint64_t state = block * 100 + warp;
            for (uint32_t s = 0; s < steps; s++) {
                const uint64_t sector = random_below(&state, 60000);
                const struct sector_access e = {
                    sector, s, (uint16_t)warp, (uint8_t)random_below(&state, 3),
                    1};
                cache_log_append(&log, &e);
            }
        }
        caches_replay_block(caches, &log, block);
    }
    return result(caches, &log);
}

/* Long logs, so that they are subsampled as well. */
static void independent_of_order(void)
{
    const struct counters first = replay_shuffled(20000, 0);
    CU_ASSERT(first.l2_read_sectors > 0);
    for (uint64_t seed = 1; seed < 3; seed++) {
        const struct counters other = replay_shuffled(20000, seed);
        CU_ASSERT_EQUAL(memcmp(&first, &other, sizeof first), 0);
    }
}

/* Blocks counted separately and merged give the same result. */
static void merged(void)
{
    struct caches *parts[2] = {caches_new(&small), caches_new(&small)};
    struct caches *together = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t block = 0; block < 30; block++) {
        const uint64_t first = block % 7 * 3000;
        log_accesses(&log, CACHE_READ, first, 5000);
        log_accesses(&log, CACHE_ATOMIC, first, 10);
        caches_replay_block(parts[block % 2], &log, block);
        log_accesses(&log, CACHE_READ, first, 5000);
        log_accesses(&log, CACHE_ATOMIC, first, 10);
        caches_replay_block(together, &log, block);
    }
    caches_merge(parts[0], parts[1]);
    caches_free(parts[1]);
    const struct counters a = result(parts[0], &log);
    const struct counters b = result(together, &log);
    CU_ASSERT(a.dram_read_bytes > 0);
    CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
}

/* A million sectors: a sample stands for all. */
static void subsampled(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t block = 0; block < 20; block++) {
        log_accesses(&log, CACHE_READ, block * 50000, 50000);
        caches_replay_block(caches, &log, block);
    }
    const struct counters c = result(caches, &log);
    CU_ASSERT_DOUBLE_EQUAL((double)c.l2_read_sectors, 1e6, 2e4);
    CU_ASSERT_DOUBLE_EQUAL((double)c.dram_read_bytes, 32e6, 1e6);
}

static void shapes(void)
{
    const struct softgpu_card *h200 = softgpu_find_card("h200");
    const struct softgpu_block_resources plain = {256, 32, 0};
    const struct softgpu_block_resources tile = {256, 32, 4224};
    CU_ASSERT_EQUAL(cache_config(h200, &plain).l1_bytes, 256 * 1024 / 8);
    CU_ASSERT_EQUAL(cache_config(h200, &plain).wave, 8 * 132);
    CU_ASSERT_EQUAL(cache_config(h200, &tile).l1_bytes,
                    (256 - 64) * 1024 / 8);
}

CU_TestInfo cache_tests[] = {
    {"streaming reads", streaming_reads},
    {"L1 holds what fits", l1_hits},
    {"loads that wait for L2", loads_that_wait},
    {"L1 replaces the least recently used line",
     l1_replaces_least_recently_used},
    {"L2 is shared by blocks", l2_hits},
    {"more than L2 holds", footprint_exceeds_l2},
    {"L2 is cold at each launch", launches_are_cold},
    {"atomics are done in L2", atomics},
    {"atomics invalidate L1", atomics_invalidate_l1},
    {"independent of order", independent_of_order},
    {"merged caches", merged},
    {"subsampled logs", subsampled},
    {"cache sizes", shapes},
    CU_TEST_INFO_NULL};

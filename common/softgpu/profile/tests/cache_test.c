/* SPDX-License-Identifier: MIT */
/* Caches: streams and re-reads with counts worked out by hand, and the
 * promise that no order of blocks or threads changes them. */
#include <stdlib.h>
#include <string.h>

#include "../caches.h"
#include "model_tests.h"

/* L1 of 16 KB for a block, L2 of 1 MB, waves of 10 blocks. */
static const struct cache_shape small = {16384, 1 << 20, 10};

static struct cache_log new_log(void)
{
    struct cache_log log;
    memset(&log, 0, sizeof log);
    return log;
}

/* A warp touches n sectors from `first`, one a step. */
static void touch(struct cache_log *log, enum cache_kind kind, uint64_t first,
                  uint32_t n)
{
    static uint32_t step;
    for (uint32_t i = 0; i < n; i++) {
        const struct cache_entry e = {first + i, ++step, 0, (uint8_t)kind, 1};
        CU_ASSERT_EQUAL(cache_note(log, &e), 0);
    }
}

/* What is counted at the end of the only launch. */
static struct counters result(struct caches *caches, struct cache_log *log)
{
    struct counters c;
    memset(&c, 0, sizeof c);
    caches_launch_end(caches, 1);
    caches_count(caches, &c);
    caches_free(caches);
    cache_log_free(log);
    return c;
}

static void streams(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    touch(&log, CACHE_READ, 1000, 4000);
    touch(&log, CACHE_WRITE, 9000, 500);
    caches_block(caches, &log, 0);
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 4000);
    CU_ASSERT_EQUAL(c.dram_read_bytes, 4000 * 32);
    CU_ASSERT_EQUAL(c.l2_write_sectors, 500);
    CU_ASSERT_EQUAL(c.dram_write_bytes, 500 * 32);
}

/* Half of L1 read again hits; four times L1 read again does not. */
static void first_level(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    touch(&log, CACHE_READ, 0, 200);
    touch(&log, CACHE_READ, 0, 200);
    caches_block(caches, &log, 0);
    touch(&log, CACHE_READ, 4096, 2048);
    touch(&log, CACHE_READ, 4096, 2048);
    caches_block(caches, &log, 1);
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 200 + 2 * 2048);
    CU_ASSERT_EQUAL(c.dram_read_bytes, (200 + 2048) * 32);
}

/* Each block begins with an empty L1; L2 is shared. */
static void second_level(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t block = 0; block < 30; block++) {
        touch(&log, CACHE_READ, 0, 100);
        caches_block(caches, &log, block);
    }
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 30 * 100);
    CU_ASSERT_EQUAL(c.dram_read_bytes, 100 * 32);
}

/* Three waves read the same 2 MB: half of it is still in an L2 of 1 MB. */
static void too_large_for_l2(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t block = 0; block < 30; block++) {
        touch(&log, CACHE_READ, block % 10 * 6554, 6554);
        caches_block(caches, &log, block);
    }
    const struct counters c = result(caches, &log);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 30 * 6554);
    CU_ASSERT_DOUBLE_EQUAL((double)c.dram_read_bytes, 65540 * 32 * 2.0, 32000);
}

static void launches_are_cold(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    touch(&log, CACHE_READ, 0, 100);
    caches_block(caches, &log, 0);
    caches_launch_end(caches, 1);
    touch(&log, CACHE_READ, 0, 100);
    caches_block(caches, &log, 0);
    CU_ASSERT_EQUAL(result(caches, &log).dram_read_bytes, 200 * 32);
}

/* 100 atomics of 8 lanes on one word beside 50 of 1 lane elsewhere. */
static void atomics(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint32_t i = 0; i < 150; i++) {
        const struct cache_entry e = {i < 100 ? 7 : 32 * i, i, 0, CACHE_ATOMIC,
                                      i < 100 ? 8 : 1};
        CU_ASSERT_EQUAL(cache_note(&log, &e), 0);
    }
    caches_block(caches, &log, 0);
    const struct counters c = result(caches, &log);
    CU_ASSERT(c.global_atomic_hottest >= 800 && c.global_atomic_hottest < 805);
    CU_ASSERT_EQUAL(c.l2_read_sectors, 150);
    CU_ASSERT_EQUAL(c.dram_write_bytes, 51 * 32);
}

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

enum { BLOCKS = 24, WARPS = 4 };

/* The same accesses of each block, its warps in this or that order. */
static struct counters in_order(uint32_t steps, uint64_t seed)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t i = 0; i < BLOCKS; i++) {
        const uint64_t block = (i * 7 + seed) % BLOCKS;
        for (uint64_t w = 0; w < WARPS; w++) {
            const uint64_t warp = (w + seed) % WARPS;
            uint64_t state = block * 100 + warp;
            for (uint32_t s = 0; s < steps; s++) {
                const uint64_t sector = draw(&state, 60000);
                const struct cache_entry e = {
                    sector, s, (uint16_t)warp, (uint8_t)draw(&state, 3), 1};
                cache_note(&log, &e);
            }
        }
        caches_block(caches, &log, block);
    }
    return result(caches, &log);
}

/* Long logs, so that they are thinned as well. */
static void any_order(void)
{
    const struct counters first = in_order(20000, 0);
    CU_ASSERT(first.l2_read_sectors > 0);
    for (uint64_t seed = 1; seed < 3; seed++) {
        const struct counters other = in_order(20000, seed);
        CU_ASSERT_EQUAL(memcmp(&first, &other, sizeof first), 0);
    }
}

/* Blocks counted apart and put together are as good as in one place. */
static void merged(void)
{
    struct caches *apart[2] = {caches_new(&small), caches_new(&small)};
    struct caches *together = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t block = 0; block < 30; block++) {
        const uint64_t first = block % 7 * 3000;
        touch(&log, CACHE_READ, first, 5000);
        touch(&log, CACHE_ATOMIC, first, 10);
        caches_block(apart[block % 2], &log, block);
        touch(&log, CACHE_READ, first, 5000);
        touch(&log, CACHE_ATOMIC, first, 10);
        caches_block(together, &log, block);
    }
    caches_merge(apart[0], apart[1]);
    caches_free(apart[1]);
    const struct counters a = result(apart[0], &log);
    const struct counters b = result(together, &log);
    CU_ASSERT(a.dram_read_bytes > 0);
    CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
}

/* A million sectors: only some are kept, and they stand for all. */
static void thinned(void)
{
    struct caches *caches = caches_new(&small);
    struct cache_log log = new_log();
    for (uint64_t block = 0; block < 20; block++) {
        touch(&log, CACHE_READ, block * 50000, 50000);
        caches_block(caches, &log, block);
    }
    const struct counters c = result(caches, &log);
    CU_ASSERT_DOUBLE_EQUAL((double)c.l2_read_sectors, 1e6, 2e4);
    CU_ASSERT_DOUBLE_EQUAL((double)c.dram_read_bytes, 32e6, 1e6);
}

static void shapes(void)
{
    const struct softgpu_card *h200 = softgpu_find_card("h200");
    const struct softgpu_block_needs plain = {256, 32, 0};
    const struct softgpu_block_needs tile = {256, 32, 4224};
    CU_ASSERT_EQUAL(cache_shape(h200, &plain).l1_bytes, 256 * 1024 / 8);
    CU_ASSERT_EQUAL(cache_shape(h200, &plain).wave, 8 * 132);
    CU_ASSERT_EQUAL(cache_shape(h200, &tile).l1_bytes,
                    (256 - 64) * 1024 / 8);
}

CU_TestInfo cache_tests[] = {
    {"streams", streams},
    {"L1 holds what fits", first_level},
    {"L2 is shared by blocks", second_level},
    {"more than L2 holds", too_large_for_l2},
    {"a launch begins cold", launches_are_cold},
    {"atomics meet in L2", atomics},
    {"no order changes the counts", any_order},
    {"counted apart, then together", merged},
    {"thinned logs stand for all", thinned},
    {"shapes", shapes},
    CU_TEST_INFO_NULL};

/* SPDX-License-Identifier: MIT */
/* Rules about launches, divergence, barriers and arithmetic, each with a near
 * miss; and how advice is chosen. */
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "advice_fixture.h"

/* A chain of loads whose latency only more warps would hide. */
static void chained_loads(struct made_kernel *m, uint32_t registers)
{
    fixture_loads(m, 0, 4);
    fixture_line(m, 0)->global_load_requests *= 100;
    fixture_line(m, 0)->global_load_sectors =
        fixture_line(m, 0)->global_load_requests;
    fixture_line(m, 0)->global_load_ideal =
        fixture_line(m, 0)->global_load_requests;
    fixture_line(m, 0)->barriers = 1024 * 50;
    m->k.registers = registers;
    m->k.total.dram_read_bytes = 1 << 20;
    fixture_advise(m);
}

static void by_registers(void)
{
    FIXTURE(m);
    chained_loads(&m, 255);
    SAYS(&m, "Occupancy is 12 %, limited by 255 registers per thread");
}

static void enough_registers(void)
{
    FIXTURE(m);
    chained_loads(&m, 64);
    SAYS_NOT(&m, "Occupancy");
}

/* Few warps reach the DRAM bandwidth. */
static void low_occupancy_without_gain(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 4);
    m.k.registers = 255;
    m.k.total.dram_read_bytes = 1ull << 32;
    fixture_advise(&m);
    SAYS_NOT(&m, "Occupancy");
}

static void with_blocks(struct made_kernel *m, unsigned blocks)
{
    fixture_loads(m, 0, 4);
    m->k.grid = (dim3){blocks, 1, 1};
    m->k.block = (dim3){1024, 1, 1};
    m->k.blocks = m->k.blocks_watched = blocks;
    m->k.threads = 1024 * blocks;
    fixture_advise(m);
}

/* Few blocks whose threads loop over an input that is read once; and again. */
static void few_looping_blocks(void)
{
    FIXTURE(m);
    fixture_loads(&m, 1, 4);
    with_blocks(&m, 8);
    m.k.block = (dim3){32, 1, 1};
    m.k.total.global_load_requests = m.k.blocks * 100;
    m.k.total.global_load_sectors = m.k.blocks * 400;
    m.k.total.dram_read_bytes = m.k.blocks * 400 * 32;
    m.sentences = advise(&m.k, softgpu_find_card("h200"), m.advice);
    SAYS(&m, "and a thread makes 100 loads: launch at least one block per SM");
    m.k.block = (dim3){1, 1, 1}; /* a warp of one thread */
    m.sentences = advise(&m.k, softgpu_find_card("h200"), m.advice);
    SAYS(&m, "and a thread makes 100 loads: launch at least one block per SM");
    m.k.block = (dim3){32, 1, 1};
    m.k.total.dram_read_bytes /= 4;
    m.sentences = advise(&m.k, softgpu_find_card("h200"), m.advice);
    SAYS_NOT(&m, "launch at least one block per SM");
}

static void few_blocks(void)
{
    FIXTURE(m);
    with_blocks(&m, 8);
    SAYS(&m, "A launch has 8 blocks for 132 SMs");
}

/* Listed last, however large the gain: a small run is no fault. */
static void few_blocks_are_late(void)
{
    FIXTURE(m);
    fixture_line(&m, 1)->shared_load_requests = FIXTURE_WARPS;
    fixture_line(&m, 1)->shared_load_wavefronts = 2 * FIXTURE_WARPS;
    fixture_line(&m, 1)->shared_load_conflicts = FIXTURE_WARPS;
    with_blocks(&m, 8);
    CU_ASSERT_EQUAL(fixture_sentence(&m, "wavefronts"), 1);
    CU_ASSERT_EQUAL(fixture_sentence(&m, "A launch has 8 blocks"), 2);
    CU_ASSERT(m.advice[1].gain > m.advice[0].gain);
}

static void enough_blocks(void)
{
    FIXTURE(m);
    with_blocks(&m, 132);
    SAYS_NOT(&m, "132 SMs");
}

static void little_work(void)
{
    FIXTURE(m);
    m.k.block = (dim3){32, 1, 1};
    m.k.blocks = m.k.blocks_watched = 4;
    m.k.threads = 128;
    fixture_advise(&m);
    SAYS(&m, "A launch has 128 threads, which fill 4 of 132 SMs");
}

static void with_launches(struct made_kernel *m, uint64_t launches)
{
    m->k.launches = launches;
    m->k.blocks *= launches;
    m->k.blocks_watched *= launches;
    m->k.threads *= launches;
    fixture_loads(m, 0, 4);
    fixture_advise(m);
}

/* A small run: gains are relative to the work, without launch overhead. */
static void small_run(void)
{
    FIXTURE(m);
    fixture_stores(&m, 0, 32);
    m.k.total.l2_write_sectors = 60000;
    fixture_advise(&m);
    SAYS(&m, "times as fast, without launch overhead.");
    SAYS(&m, "Launch overhead is ");
}

static void many_launches(void)
{
    FIXTURE(m);
    with_launches(&m, 100);
    SAYS(&m, "100 launches of");
    SAYS(&m, "use a CUDA graph");
}

static void three_launches(void)
{
    FIXTURE(m);
    with_launches(&m, 3);
    SAYS_NOT(&m, "launches of");
}

static void with_lanes(struct made_kernel *m, uint64_t lanes)
{
    struct counters *c = fixture_line(m, 2);

    c->warp_instructions = 1000 * FIXTURE_WARPS;
    c->thread_instructions = lanes * 1000 * FIXTURE_WARPS;
    c->branches = 10 * FIXTURE_WARPS;
    c->branches_divergent = 5 * FIXTURE_WARPS;
    fixture_advise(m);
}

static void divergent_branch(void)
{
    FIXTURE(m);
    with_lanes(&m, 16);
    SAYS(&m, "the branch diverges in 50 % of the warps, and 16.0 of 32 lanes "
             "are active on average");
    CU_ASSERT_EQUAL(m.advice[0].line, 12);
    CU_ASSERT(m.advice[0].gain > 0.3 * m.k.model.us);
}

static void rarely_divergent_branch(void)
{
    FIXTURE(m);
    with_lanes(&m, 28);
    SAYS_NOT(&m, "the branch diverges");
}

static void with_block(struct made_kernel *m, unsigned threads)
{
    m->k.block = (dim3){threads, 1, 1};
    m->k.threads = 1024 * threads;
    fixture_line(m, 0)->warp_instructions = 1000 * FIXTURE_WARPS;
    fixture_line(m, 0)->thread_instructions = 32 * 1000 * FIXTURE_WARPS;
    fixture_advise(m);
}

static void partial_last_warp(void)
{
    FIXTURE(m);
    with_block(&m, 48);
    SAYS(&m, "A block of 48 threads leaves 16 lanes of its last warp "
             "inactive");
}

static void whole_warps(void)
{
    FIXTURE(m);
    with_block(&m, 64);
    SAYS_NOT(&m, "inactive");
}

/* 24 inactive lanes of 1,024. */
static void nearly_whole_warps(void)
{
    FIXTURE(m);
    with_block(&m, 1000);
    SAYS_NOT(&m, "inactive");
}

static void with_barriers(struct made_kernel *m, uint64_t barriers,
                          uint64_t between)
{
    fixture_line(m, 1)->barriers = barriers * 1024;
    fixture_line(m, 2)->warp_instructions = barriers * between * FIXTURE_WARPS;
    fixture_line(m, 2)->thread_instructions =
        32 * barriers * between * FIXTURE_WARPS;
    fixture_advise(m);
}

static void many_barriers(void)
{
    FIXTURE(m);
    with_barriers(&m, 8, 10);
    SAYS(&m, "a block executes 8 barriers with 10 warp instructions");
}

static void work_between_barriers(void)
{
    FIXTURE(m);
    with_barriers(&m, 8, 40);
    SAYS_NOT(&m, "barriers");
}

static void three_barriers(void)
{
    FIXTURE(m);
    with_barriers(&m, 3, 10);
    SAYS_NOT(&m, "barriers");
}

static void with_doubles(struct made_kernel *m, uint64_t doubles,
                         uint64_t floats)
{
    fixture_line(m, 0)->flop_float = floats * FIXTURE_WARPS;
    fixture_line(m, 3)->flop_double = doubles * FIXTURE_WARPS;
    fixture_advise(m);
}

static void double_literal(void)
{
    FIXTURE(m);
    with_doubles(&m, 3200, 32000);
    SAYS(&m, "operations are double among");
    CU_ASSERT_EQUAL(m.advice[0].line, 13);
}

static void intended_double(void)
{
    FIXTURE(m);
    with_doubles(&m, 32000, 3200);
    SAYS_NOT(&m, "are double");
}

/* Four problems: three pieces of advice, the largest gain first. */
static void three_at_most(void)
{
    FIXTURE(m);
    fixture_line(&m, 0)->constant_requests = FIXTURE_WARPS;
    fixture_line(&m, 0)->constant_passes = 3 * FIXTURE_WARPS;
    fixture_stores(&m, 1, 32);
    fixture_line(&m, 2)->shared_load_requests = FIXTURE_WARPS;
    fixture_line(&m, 2)->shared_load_wavefronts = 32 * FIXTURE_WARPS;
    fixture_line(&m, 2)->shared_load_conflicts = 31 * FIXTURE_WARPS;
    fixture_line(&m, 3)->shared_atomic_requests = FIXTURE_WARPS;
    fixture_line(&m, 3)->shared_atomic_passes = 3 * FIXTURE_WARPS;
    fixture_advise(&m);
    CU_ASSERT_EQUAL(m.sentences, MAX_ADVICE);
    CU_ASSERT_EQUAL(m.advice[0].line, 11);
    CU_ASSERT_EQUAL(m.advice[1].line, 12);
    CU_ASSERT(m.advice[0].gain >= m.advice[1].gain);
    CU_ASSERT(m.advice[1].gain >= m.advice[2].gain);
    SAYS_NOT(&m, "The limit now");
}

/* No problem: only the limit is named. */
static void nothing_wrong(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 4);
    fixture_stores(&m, 0, 4);
    m.k.total.dram_read_bytes = 1ull << 32;
    fixture_advise(&m);
    CU_ASSERT_EQUAL(m.sentences, 1);
    SAYS(&m, "The limit now is DRAM bandwidth, ");
    SAYS(&m, "(only fewer bytes would take less time)");
    CU_ASSERT_EQUAL(m.advice[0].line, 0);
}

/* A bank conflict hidden by DRAM traffic is reported, with a small gain. */
static void problem_behind_launch_time(void)
{
    FIXTURE(m);
    fixture_line(&m, 2)->shared_load_requests = FIXTURE_WARPS;
    fixture_line(&m, 2)->shared_load_wavefronts = 2 * FIXTURE_WARPS;
    fixture_line(&m, 2)->shared_load_conflicts = FIXTURE_WARPS;
    m.k.total.dram_read_bytes = 1ull << 32;
    fixture_advise(&m);
    SAYS(&m, "the gain is small while the limit is DRAM bandwidth.");
    SAYS(&m, "The limit now is DRAM bandwidth");
    SAYS_NOT(&m, "only fewer bytes"); /* there is a rule that applies */
}

/* There is advice for a kernel without counters, too. */
static void empty_kernel(void)
{
    FIXTURE(m);
    m.k.line_count = 0;
    fixture_advise(&m);
    CU_ASSERT(m.sentences >= 1);
    CU_ASSERT_PTR_NOT_NULL(strchr(m.advice[0].text, '.'));
}

/* 3 sectors for 2: half as many again, and still no stride. */
static void misaligned_halves(void)
{
    FIXTURE(m);
    struct counters *c = fixture_line(&m, 0);
    struct access_pattern *p;

    fixture_loads(&m, 0, 5);
    for (int i = 0; i < 6; i++)
        counters_add(c, c);
    c->global_load_sectors = 3 * c->global_load_requests;
    c->global_load_ideal = 2 * c->global_load_requests;
    p = fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 2, 2);
    for (int i = 0; i < 32; i++)
        p->lanes[i] += 4;
    fixture_advise(&m);
    SAYS(&m, "(misaligned)");
    SAYS_NOT(&m, "(uncoalesced)");
}

static CU_TestInfo launch_tests[] = {
    {"misaligned rows of 2-byte elements", misaligned_halves},
    {"occupancy limited by registers", by_registers},
    {"near-miss: half of the warps", enough_registers},
    {"near-miss: limited by DRAM", low_occupancy_without_gain},
    {"fewer blocks than SMs", few_blocks},
    {"few blocks whose threads loop", few_looping_blocks},
    {"few blocks are listed last", few_blocks_are_late},
    {"near-miss: as many blocks as SMs", enough_blocks},
    {"fewer warps than SMs", little_work},
    {"mostly launch overhead", small_run},
    {"many short launches", many_launches},
    {"near-miss: three launches", three_launches},
    {"a divergent branch", divergent_branch},
    {"near-miss: rarely divergent", rarely_divergent_branch},
    {"48 threads per block", partial_last_warp},
    {"near-miss: 64 threads", whole_warps},
    {"near-miss: 1,000 threads", nearly_whole_warps},
    {"many barriers", many_barriers},
    {"near-miss: work between them", work_between_barriers},
    {"near-miss: three barriers", three_barriers},
    {"doubles among floats", double_literal},
    {"near-miss: intended doubles", intended_double},
    {"at most three, by gain", three_at_most},
    {"no problem", nothing_wrong},
    {"a problem without gain", problem_behind_launch_time},
    {"an empty kernel", empty_kernel},
    CU_TEST_INFO_NULL,
};

int main(void)
{
    CU_SuiteInfo suites[] = {
        {.pName = "advice: global memory", .pTests = advice_memory_tests},
        {.pName = "advice: other memory", .pTests = advice_shared_tests},
        {.pName = "advice: launch", .pTests = launch_tests},
        CU_SUITE_INFO_NULL};

    return run_suites(suites);
}

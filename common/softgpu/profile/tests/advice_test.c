/* SPDX-License-Identifier: MIT */
/* Rules about launches, lanes, barriers and arithmetic, each with a near-miss;
 * and how sentences are chosen. */
#include <string.h>

#include "advice_fixture.h"

/* So long a chain of loads that only more warps would hide it. */
static void chained_loads(struct made *m, uint32_t registers)
{
    made_loads(m, 0, 4);
    made_line(m, 0)->global_load_requests *= 100;
    made_line(m, 0)->global_load_sectors = made_line(m, 0)->global_load_requests;
    made_line(m, 0)->global_load_ideal = made_line(m, 0)->global_load_requests;
    made_line(m, 0)->barriers = 1024 * 50;
    m->k.registers = registers;
    m->k.total.dram_read_bytes = 1 << 20;
    made_advise(m);
}

static void by_registers(void)
{
    MADE(m);
    chained_loads(&m, 255);
    SAYS(&m, "Occupancy is 12 %, as a thread takes 255 registers");
}

static void enough_registers(void)
{
    MADE(m);
    chained_loads(&m, 64);
    SILENT(&m, "Occupancy");
}

/* Few warps are enough for what memory gives. */
static void low_but_fed(void)
{
    MADE(m);
    made_loads(&m, 0, 4);
    m.k.registers = 255;
    m.k.total.dram_read_bytes = 1ull << 32;
    made_advise(&m);
    SILENT(&m, "Occupancy");
}

static void with_blocks(struct made *m, unsigned blocks)
{
    made_loads(m, 0, 4);
    m->k.grid = (dim3){blocks, 1, 1};
    m->k.block = (dim3){1024, 1, 1};
    m->k.blocks = m->k.blocks_watched = blocks;
    m->k.threads = 1024 * blocks;
    made_advise(m);
}

static void few_blocks(void)
{
    MADE(m);
    with_blocks(&m, 8);
    SAYS(&m, "A launch is 8 blocks for 132 SMs");
}

/* However much it would gain, it is told last: small runs are no fault. */
static void few_blocks_are_late(void)
{
    MADE(m);
    made_line(&m, 1)->shared_load_requests = MADE_WARPS;
    made_line(&m, 1)->shared_load_wavefronts = 2 * MADE_WARPS;
    made_line(&m, 1)->shared_load_conflicts = MADE_WARPS;
    with_blocks(&m, 8);
    CU_ASSERT_EQUAL(made_says(&m, "wavefronts"), 1);
    CU_ASSERT_EQUAL(made_says(&m, "A launch is 8 blocks"), 2);
    CU_ASSERT(m.advice[1].gain > m.advice[0].gain);
}

static void enough_blocks(void)
{
    MADE(m);
    with_blocks(&m, 132);
    SILENT(&m, "132 SMs");
}

static void little_work(void)
{
    MADE(m);
    m.k.block = (dim3){32, 1, 1};
    m.k.blocks = m.k.blocks_watched = 4;
    m.k.threads = 128;
    made_advise(&m);
    SAYS(&m, "A launch is 128 threads, which fill 4 of 132 SMs");
}

static void with_launches(struct made *m, uint64_t launches)
{
    m->k.launches = launches;
    m->k.blocks *= launches;
    m->k.blocks_watched *= launches;
    m->k.threads *= launches;
    made_loads(m, 0, 4);
    made_advise(m);
}

/* A small run: what a cure gains is told of the work, not of the start. */
static void small_run(void)
{
    MADE(m);
    made_stores(&m, 0, 32);
    m.k.total.l2_write_sectors = 60000;
    made_advise(&m);
    SAYS(&m, "times as fast, its start aside.");
    SAYS(&m, "Starting takes ");
}

static void many_launches(void)
{
    MADE(m);
    with_launches(&m, 100);
    SAYS(&m, "100 launches of");
    SAYS(&m, "record them in a graph");
}

static void three_launches(void)
{
    MADE(m);
    with_launches(&m, 3);
    SILENT(&m, "launches of");
}

static void with_lanes(struct made *m, uint64_t lanes)
{
    struct counters *c = made_line(m, 2);

    c->warp_instructions = 1000 * MADE_WARPS;
    c->thread_instructions = lanes * 1000 * MADE_WARPS;
    c->branches = 10 * MADE_WARPS;
    c->branches_divergent = 5 * MADE_WARPS;
    made_advise(m);
}

static void parted(void)
{
    MADE(m);
    with_lanes(&m, 16);
    SAYS(&m, "the branch parts the lanes of 50 % of the warps that come to it, "
             "and 16.0 of 32 lanes work at a time");
    CU_ASSERT_EQUAL(m.advice[0].line, 12);
    CU_ASSERT(m.advice[0].gain > 0.3 * m.k.model.us);
}

static void hardly_parted(void)
{
    MADE(m);
    with_lanes(&m, 28);
    SILENT(&m, "the branch parts");
}

static void with_block(struct made *m, unsigned threads)
{
    m->k.block = (dim3){threads, 1, 1};
    m->k.threads = 1024 * threads;
    made_line(m, 0)->warp_instructions = 1000 * MADE_WARPS;
    made_line(m, 0)->thread_instructions = 32 * 1000 * MADE_WARPS;
    made_advise(m);
}

static void odd_block(void)
{
    MADE(m);
    with_block(&m, 48);
    SAYS(&m, "A block of 48 threads leaves 16 lanes of its last warp idle");
}

static void even_block(void)
{
    MADE(m);
    with_block(&m, 64);
    SILENT(&m, "idle");
}

/* 24 of 1,024 lanes: nobody will notice. */
static void nearly_even_block(void)
{
    MADE(m);
    with_block(&m, 1000);
    SILENT(&m, "idle");
}

static void with_barriers(struct made *m, uint64_t barriers, uint64_t between)
{
    made_line(m, 1)->barriers = barriers * 1024;
    made_line(m, 2)->warp_instructions = barriers * between * MADE_WARPS;
    made_line(m, 2)->thread_instructions = 32 * barriers * between * MADE_WARPS;
    made_advise(m);
}

static void tree_of_barriers(void)
{
    MADE(m);
    with_barriers(&m, 8, 10);
    SAYS(&m, "a block waits at 8 barriers with 10 instructions of a warp");
}

static void work_between(void)
{
    MADE(m);
    with_barriers(&m, 8, 40);
    SILENT(&m, "barriers");
}

static void three_barriers(void)
{
    MADE(m);
    with_barriers(&m, 3, 10);
    SILENT(&m, "barriers");
}

static void with_doubles(struct made *m, uint64_t doubles, uint64_t floats)
{
    made_line(m, 0)->flop_float = floats * MADE_WARPS;
    made_line(m, 3)->flop_double = doubles * MADE_WARPS;
    made_advise(m);
}

static void forgotten_f(void)
{
    MADE(m);
    with_doubles(&m, 3200, 32000);
    SAYS(&m, "operations are in double among");
    CU_ASSERT_EQUAL(m.advice[0].line, 13);
}

static void meant_double(void)
{
    MADE(m);
    with_doubles(&m, 32000, 3200);
    SILENT(&m, "in double");
}

/* Four troubles: three sentences, the costliest first. */
static void three_at_most(void)
{
    MADE(m);
    made_line(&m, 0)->constant_requests = MADE_WARPS;
    made_line(&m, 0)->constant_passes = 3 * MADE_WARPS;
    made_stores(&m, 1, 32);
    made_line(&m, 2)->shared_load_requests = MADE_WARPS;
    made_line(&m, 2)->shared_load_wavefronts = 32 * MADE_WARPS;
    made_line(&m, 2)->shared_load_conflicts = 31 * MADE_WARPS;
    made_line(&m, 3)->shared_atomic_requests = MADE_WARPS;
    made_line(&m, 3)->shared_atomic_passes = 3 * MADE_WARPS;
    made_advise(&m);
    CU_ASSERT_EQUAL(m.sentences, ADVICE_MOST);
    CU_ASSERT_EQUAL(m.advice[0].line, 11);
    CU_ASSERT_EQUAL(m.advice[1].line, 12);
    CU_ASSERT(m.advice[0].gain >= m.advice[1].gain);
    CU_ASSERT(m.advice[1].gain >= m.advice[2].gain);
    SILENT(&m, "The limit now");
}

/* Nothing wrong: what limits it, and nothing else. */
static void nothing_wrong(void)
{
    MADE(m);
    made_loads(&m, 0, 4);
    made_stores(&m, 0, 4);
    m.k.total.dram_read_bytes = 1ull << 32;
    made_advise(&m);
    CU_ASSERT_EQUAL(m.sentences, 1);
    SAYS(&m, "The limit now is memory (DRAM), ");
    SAYS(&m, "(only fewer bytes would take less)");
    CU_ASSERT_EQUAL(m.advice[0].line, 0);
}

/* A conflict that memory hides is told, and that it gains nothing. */
static void hidden_trouble(void)
{
    MADE(m);
    made_line(&m, 2)->shared_load_requests = MADE_WARPS;
    made_line(&m, 2)->shared_load_wavefronts = 2 * MADE_WARPS;
    made_line(&m, 2)->shared_load_conflicts = MADE_WARPS;
    m.k.total.dram_read_bytes = 1ull << 32;
    made_advise(&m);
    SAYS(&m, "it gains little while the limit is memory (DRAM).");
    SAYS(&m, "The limit now is memory (DRAM)");
    SILENT(&m, "only fewer bytes"); /* there is something else to do */
}

/* Without any counter there is still a sentence. */
static void empty_kernel(void)
{
    MADE(m);
    m.k.line_count = 0;
    made_advise(&m);
    CU_ASSERT(m.sentences >= 1);
    CU_ASSERT_PTR_NOT_NULL(strchr(m.advice[0].text, '.'));
}

static CU_TestInfo shape_tests[] = {
    {"occupancy by registers", by_registers},
    {"near-miss: half of the warps", enough_registers},
    {"near-miss: memory is the limit", low_but_fed},
    {"fewer blocks than SMs", few_blocks},
    {"told behind the rest", few_blocks_are_late},
    {"near-miss: as many", enough_blocks},
    {"fewer warps than SMs", little_work},
    {"a run that mostly starts", small_run},
    {"many short launches", many_launches},
    {"near-miss: three", three_launches},
    {"a branch that parts warps", parted},
    {"near-miss: nearly whole warps", hardly_parted},
    {"48 threads a block", odd_block},
    {"near-miss: 64", even_block},
    {"near-miss: 1,000", nearly_even_block},
    {"many barriers", tree_of_barriers},
    {"near-miss: work between them", work_between},
    {"near-miss: three barriers", three_barriers},
    {"doubles among floats", forgotten_f},
    {"near-miss: doubles are meant", meant_double},
    {"three sentences at most, by gain", three_at_most},
    {"nothing wrong", nothing_wrong},
    {"trouble that gains nothing", hidden_trouble},
    {"an empty kernel", empty_kernel},
    CU_TEST_INFO_NULL,
};

int main(void)
{
    CU_SuiteInfo suites[] = {
        {"advice: memory", NULL, NULL, NULL, NULL, advice_memory_tests},
        {"advice: shape", NULL, NULL, NULL, NULL, shape_tests},
        CU_SUITE_INFO_NULL,
    };

    if (CU_initialize_registry() != CUE_SUCCESS
        || CU_register_suites(suites) != CUE_SUCCESS)
        return 2;
    CU_basic_run_tests();
    return CU_get_number_of_failures() ? 1 : 0;
}

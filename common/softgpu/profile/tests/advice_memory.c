/* SPDX-License-Identifier: MIT */
/* Rules about global memory: each applies to a kernel, and not to its near
 * miss. */
#include <CUnit/Basic.h>

#include "advice_fixture.h"

static void column_store(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 4);
    fixture_stores(&m, 1, 32);
    fixture_pattern(&m, PATTERN_GLOBAL_STORE, 1, 4, 4096);
    fixture_advise(&m);
    SAYS(&m, "stores 32.0 sectors instead of 4.0 (uncoalesced), as neighboring "
             "lanes are 4,096 bytes apart: stage a tile in shared memory");
    CU_ASSERT_EQUAL(m.advice[0].line, 11);
    CU_ASSERT_STRING_EQUAL(m.advice[0].file, "k.cu");
    CU_ASSERT(m.advice[0].gain > 0);
    SAYS(&m, "times as fast");
}

/* One row per thread, as in a matrix-vector product. */
static void column_load(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 32);
    fixture_stores(&m, 1, 4);
    fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 4, 4000);
    fixture_advise(&m);
    SAYS(&m, "4,000 bytes apart: let the lanes of a warp access one row");
    SAYS_NOT(&m, "swap the two indices");
}

static void row_store(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 4);
    fixture_stores(&m, 1, 4);
    fixture_pattern(&m, PATTERN_GLOBAL_STORE, 1, 4, 4);
    fixture_advise(&m);
    SAYS_NOT(&m, "instead of");
}

/* Loads and stores by columns: swapping the indices is enough. */
static void both_columns(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 32);
    fixture_stores(&m, 1, 32);
    fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 4, 4096);
    fixture_pattern(&m, PATTERN_GLOBAL_STORE, 1, 4, 4096);
    fixture_advise(&m);
    SAYS(&m, "swap the two indices");
    SAYS_NOT(&m, "stage a tile");
}

/* Move the lanes of a pattern to the next field. */
static void second_field(struct access_pattern *p)
{
    for (int i = 0; i < 32; i++)
        p->lanes[i] += p->bytes;
}

static void strided_floats(void)
{
    FIXTURE(m);
    fixture_loads(&m, 2, 8);
    fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 2, 4, 8);
    fixture_advise(&m);
    SAYS(&m, "neighboring lanes are 2 elements of 4 bytes apart: let "
             "neighboring lanes access neighboring elements");
    SAYS_NOT(&m, "(array of structs)");
}

static void array_of_structs(void)
{
    FIXTURE(m);
    fixture_loads(&m, 2, 12);
    fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 2, 4, 12);
    second_field(fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 1, 4, 12));
    fixture_advise(&m);
    SAYS(&m, "each lane uses 4 of every 12 bytes (array of structs): use a "
             "struct of arrays");
}

static void narrow_block(void)
{
    FIXTURE(m);
    struct access_pattern *p;

    fixture_loads(&m, 0, 8);
    p = fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 4, 4);
    for (int i = 0; i < 32; i++)
        p->lanes[i] = 4 * (i % 4) + 4096 * (i / 4);
    m.k.block = (dim3){4, 64, 1};
    fixture_advise(&m);
    SAYS(&m, "as blockDim.x is 4: make it 32");
}

/* The same addresses by a block that is wide enough. */
static void short_runs(void)
{
    FIXTURE(m);
    struct access_pattern *p;

    fixture_loads(&m, 0, 8);
    p = fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 4, 4);
    for (int i = 0; i < 32; i++)
        p->lanes[i] = 4 * (i % 4) + 4096 * (i / 4);
    fixture_advise(&m);
    SAYS(&m, "only 4 neighboring lanes are contiguous");
    SAYS_NOT(&m, "blockDim.x");
}

static void gather(void)
{
    FIXTURE(m);
    struct access_pattern *p;

    fixture_loads(&m, 0, 30);
    p = fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 4, 4);
    for (int i = 0; i < 32; i++)
        p->lanes[i] = 4 * (i * i * 37 % 1024);
    fixture_advise(&m);
    SAYS(&m, "its lanes are scattered");
}

static void without_picture(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 16);
    fixture_advise(&m);
    SAYS(&m, "its lanes are far apart");
}

static void misaligned(void)
{
    FIXTURE(m);
    struct access_pattern *p;

    fixture_loads(&m, 0, 5);
    /* 64 times as many: the limit is DRAM bandwidth */
    for (int i = 0; i < 6; i++)
        counters_add(fixture_line(&m, 0), fixture_line(&m, 0));
    p = fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 4, 4);
    for (int i = 0; i < 32; i++)
        p->lanes[i] += 4;
    fixture_advise(&m);
    SAYS(&m, "loads 5.0 sectors instead of 4.0 (misaligned), as it begins 4 "
             "bytes past a multiple of 32");
}

/* The edges of a stencil are misaligned too; without a gain there is no
 * advice. */
static void misaligned_for_free(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 5);
    fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 4, 4)->lanes[0] += 4;
    m.k.total.dram_write_bytes = 1ull << 32;
    fixture_advise(&m);
    SAYS_NOT(&m, "as it begins");
}

/* One request in three is misaligned: no advice. */
static void mostly_aligned(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 4.33);
    fixture_pattern(&m, PATTERN_GLOBAL_LOAD, 0, 4, 4);
    fixture_advise(&m);
    SAYS_NOT(&m, "instead of");
}

static void several_lines(void)
{
    FIXTURE(m);
    fixture_loads(&m, 0, 8);
    fixture_loads(&m, 1, 12);
    fixture_loads(&m, 2, 8);
    fixture_advise(&m);
    SAYS(&m, "12.0 sectors");
    SAYS(&m, "(and at 2 more lines)");
    CU_ASSERT_EQUAL(m.advice[0].line, 11);
}

static void reused_traffic(struct made_kernel *m, uint64_t times)
{
    fixture_loads(m, 0, 4);
    fixture_line(m, 0)->global_load_requests *= 200;
    fixture_line(m, 0)->global_load_sectors *= 200;
    fixture_line(m, 0)->global_load_ideal *= 200;
    fixture_line(m, 0)->global_load_bytes *= 200;
    m->k.total.dram_read_bytes = 32 * 4 * 200 * FIXTURE_WARPS / times;
    fixture_advise(m);
}

static void repeated_loads(void)
{
    FIXTURE(m);
    reused_traffic(&m, 32);
    SAYS(&m, "each sector 32 times: let a block load a tile into shared "
             "memory");
}

/* There is a tile already: registers are left. */
static void repeated_tile_loads(void)
{
    FIXTURE(m);
    fixture_line(&m, 1)->shared_load_requests = 250 * FIXTURE_WARPS;
    fixture_line(&m, 1)->shared_load_wavefronts = 250 * FIXTURE_WARPS;
    reused_traffic(&m, 32);
    SAYS(&m, "make the tile larger");
    SAYS_NOT(&m, "load a tile");
}

static void fields(struct made_kernel *m, double stores)
{
    fixture_loads(m, 0, 12);
    fixture_stores(m, 0, stores);
    fixture_pattern(m, PATTERN_GLOBAL_LOAD, 0, 4, 12);
    fixture_advise(m);
}

static void fields_both_ways(void)
{
    FIXTURE(m);
    fields(&m, 12);
    SAYS(&m, "a warp loads and stores 12.0 sectors");
    SAYS_NOT(&m, "more line");
}

static void fields_one_way(void)
{
    FIXTURE(m);
    fields(&m, 4);
    SAYS(&m, "a warp loads 12.0 sectors");
}

static void few_repeated_loads(void)
{
    FIXTURE(m);
    reused_traffic(&m, 3);
    SAYS_NOT(&m, "each sector");
}

static void narrow_lanes(void)
{
    FIXTURE(m);
    m.k.total.dram_write_bytes = 32 * 4 * 200 * FIXTURE_WARPS;
    reused_traffic(&m, 1);
    SAYS_NOT(&m, "float4"); /* the limit is DRAM bandwidth */
}

static void issue_bound(struct made_kernel *m, int wide)
{
    fixture_loads(m, 0, wide ? 16 : 4);
    fixture_line(m, 0)->global_load_ideal =
        fixture_line(m, 0)->global_load_sectors;
    fixture_line(m, 0)->warp_instructions = 400 * FIXTURE_WARPS;
    fixture_line(m, 0)->thread_instructions = 32 * 400 * FIXTURE_WARPS;
    fixture_advise(m);
}

static void narrow_issue(void)
{
    FIXTURE(m);
    issue_bound(&m, 0);
    SAYS(&m, "use vector accesses of 16 bytes (float4)");
}

static void wide_issue(void)
{
    FIXTURE(m);
    issue_bound(&m, 1);
    SAYS_NOT(&m, "float4");
}

CU_TestInfo advice_memory_tests[] = {
    {"a store by columns", column_store},
    {"a load by columns", column_load},
    {"near-miss: by rows", row_store},
    {"load and store by columns", both_columns},
    {"floats with a stride", strided_floats},
    {"an array of structs", array_of_structs},
    {"a block four lanes wide", narrow_block},
    {"near-miss: a wide block", short_runs},
    {"a gather", gather},
    {"no access pattern", without_picture},
    {"misaligned rows", misaligned},
    {"near-miss: misaligned without cost", misaligned_for_free},
    {"near-miss: few misaligned rows", mostly_aligned},
    {"several lines, the worst named", several_lines},
    {"repeated loads of the same sectors", repeated_loads},
    {"repeated loads of a tile", repeated_tile_loads},
    {"near-miss: three times", few_repeated_loads},
    {"fields read and written", fields_both_ways},
    {"near-miss: fields only read", fields_one_way},
    {"near-miss: limited by DRAM", narrow_lanes},
    {"4-byte accesses, limited by issue slots", narrow_issue},
    {"near-miss: 16-byte accesses", wide_issue},
    CU_TEST_INFO_NULL,
};

/* SPDX-License-Identifier: MIT */
/* Rules about memory: each on a kernel that has the trouble, and on its
 * near-miss twin that must not be told of it. */
#include <CUnit/Basic.h>

#include "advice_fixture.h"

static void column_store(void)
{
    MADE(m);
    made_loads(&m, 0, 4);
    made_stores(&m, 1, 32);
    made_picture(&m, PICTURE_GLOBAL_STORE, 1, 4, 4096);
    made_advise(&m);
    SAYS(&m, "stores 32.0 sectors where 4.0 would do, as neighbouring lanes "
             "are 4,096 bytes apart: take a tile through shared memory");
    CU_ASSERT_EQUAL(m.advice[0].line, 11);
    CU_ASSERT_STRING_EQUAL(m.advice[0].file, "k.cu");
    CU_ASSERT(m.advice[0].gain > 0);
    SAYS(&m, "times as fast");
}

/* A row a thread, as in a product of a matrix and a vector. */
static void column_load(void)
{
    MADE(m);
    made_loads(&m, 0, 32);
    made_stores(&m, 1, 4);
    made_picture(&m, PICTURE_GLOBAL_LOAD, 0, 4, 4000);
    made_advise(&m);
    SAYS(&m, "4,000 bytes apart: let the lanes of a warp share a row");
    SILENT(&m, "swap the two indices");
}

static void row_store(void)
{
    MADE(m);
    made_loads(&m, 0, 4);
    made_stores(&m, 1, 4);
    made_picture(&m, PICTURE_GLOBAL_STORE, 1, 4, 4);
    made_advise(&m);
    SILENT(&m, "would do");
}

/* Both sides go down columns: a tile would be too much. */
static void both_columns(void)
{
    MADE(m);
    made_loads(&m, 0, 32);
    made_stores(&m, 1, 32);
    made_picture(&m, PICTURE_GLOBAL_LOAD, 0, 4, 4096);
    made_picture(&m, PICTURE_GLOBAL_STORE, 1, 4, 4096);
    made_advise(&m);
    SAYS(&m, "swap the two indices");
    SILENT(&m, "take a tile");
}

static void array_of_structs(void)
{
    MADE(m);
    made_loads(&m, 2, 12);
    made_picture(&m, PICTURE_GLOBAL_LOAD, 2, 4, 12);
    made_advise(&m);
    SAYS(&m, "each lane uses 4 of every 12 bytes: keep each field in an array");
}

static void narrow_block(void)
{
    MADE(m);
    struct access_picture *p;

    made_loads(&m, 0, 8);
    p = made_picture(&m, PICTURE_GLOBAL_LOAD, 0, 4, 4);
    for (int i = 0; i < 32; i++)
        p->lanes[i] = 4 * (i % 4) + 4096 * (i / 4);
    m.k.block = (dim3){4, 64, 1};
    made_advise(&m);
    SAYS(&m, "a row of the block is 4 lanes: make blockDim.x 32");
}

/* The same addresses by a block that is wide enough. */
static void short_runs(void)
{
    MADE(m);
    struct access_picture *p;

    made_loads(&m, 0, 8);
    p = made_picture(&m, PICTURE_GLOBAL_LOAD, 0, 4, 4);
    for (int i = 0; i < 32; i++)
        p->lanes[i] = 4 * (i % 4) + 4096 * (i / 4);
    made_advise(&m);
    SAYS(&m, "only 4 lanes in a row lie side by side");
    SILENT(&m, "blockDim.x");
}

static void gather(void)
{
    MADE(m);
    struct access_picture *p;

    made_loads(&m, 0, 30);
    p = made_picture(&m, PICTURE_GLOBAL_LOAD, 0, 4, 4);
    for (int i = 0; i < 32; i++)
        p->lanes[i] = 4 * (i * i * 37 % 1024);
    made_advise(&m);
    SAYS(&m, "scattered places");
}

static void without_picture(void)
{
    MADE(m);
    made_loads(&m, 0, 16);
    made_advise(&m);
    SAYS(&m, "its lanes lie far apart");
}

static void misaligned(void)
{
    MADE(m);
    struct access_picture *p;

    made_loads(&m, 0, 5);
    for (int i = 0; i < 6; i++) /* 64 times as often: memory is the limit */
        counters_add(made_line(&m, 0), made_line(&m, 0));
    p = made_picture(&m, PICTURE_GLOBAL_LOAD, 0, 4, 4);
    for (int i = 0; i < 32; i++)
        p->lanes[i] += 4;
    made_advise(&m);
    SAYS(&m, "loads 5.0 sectors where 4.0 would do, as it begins 4 bytes past "
             "a multiple of 32");
}

/* The edges of a stencil begin off too; where it costs nothing, nobody asks. */
static void misaligned_for_free(void)
{
    MADE(m);
    made_loads(&m, 0, 5);
    made_picture(&m, PICTURE_GLOBAL_LOAD, 0, 4, 4)->lanes[0] += 4;
    m.k.total.dram_write_bytes = 1ull << 32;
    made_advise(&m);
    SILENT(&m, "as it begins");
}

/* One request in three begins off: not worth a sentence. */
static void mostly_aligned(void)
{
    MADE(m);
    made_loads(&m, 0, 4.33);
    made_picture(&m, PICTURE_GLOBAL_LOAD, 0, 4, 4);
    made_advise(&m);
    SILENT(&m, "would do");
}

static void several_lines(void)
{
    MADE(m);
    made_loads(&m, 0, 8);
    made_loads(&m, 1, 12);
    made_loads(&m, 2, 8);
    made_advise(&m);
    SAYS(&m, "12.0 sectors");
    SAYS(&m, "(and at 2 more lines)");
    CU_ASSERT_EQUAL(m.advice[0].line, 11);
}

static void reused_traffic(struct made *m, uint64_t times)
{
    made_loads(m, 0, 4);
    made_line(m, 0)->global_load_requests *= 200;
    made_line(m, 0)->global_load_sectors *= 200;
    made_line(m, 0)->global_load_ideal *= 200;
    made_line(m, 0)->global_load_bytes *= 200;
    m->k.total.dram_read_bytes = 32 * 4 * 200 * MADE_WARPS / times;
    made_advise(m);
}

static void reread(void)
{
    MADE(m);
    reused_traffic(&m, 32);
    SAYS(&m, "each sector 32 times: let a block copy a tile to shared memory");
}

/* There is a tile already: registers are what is left. */
static void reread_tile(void)
{
    MADE(m);
    made_line(&m, 1)->shared_load_requests = 250 * MADE_WARPS;
    made_line(&m, 1)->shared_load_wavefronts = 250 * MADE_WARPS;
    reused_traffic(&m, 32);
    SAYS(&m, "make the tile larger");
    SILENT(&m, "copy a tile");
}

static void fields(struct made *m, double stores)
{
    made_loads(m, 0, 12);
    made_stores(m, 0, stores);
    made_picture(m, PICTURE_GLOBAL_LOAD, 0, 4, 12);
    made_advise(m);
}

static void fields_both_ways(void)
{
    MADE(m);
    fields(&m, 12);
    SAYS(&m, "a warp loads, and stores, 12.0 sectors");
    SILENT(&m, "more line");
}

static void fields_one_way(void)
{
    MADE(m);
    fields(&m, 4);
    SAYS(&m, "a warp loads 12.0 sectors");
}

static void reread_little(void)
{
    MADE(m);
    reused_traffic(&m, 3);
    SILENT(&m, "each sector");
}

static void narrow_lanes(void)
{
    MADE(m);
    reused_traffic(&m, 1);
    SILENT(&m, "float4"); /* memory itself is the limit */
}

static void issue_bound(struct made *m, int wide)
{
    made_loads(m, 0, wide ? 16 : 4);
    made_line(m, 0)->global_load_ideal = made_line(m, 0)->global_load_sectors;
    made_line(m, 0)->warp_instructions = 400 * MADE_WARPS;
    made_line(m, 0)->thread_instructions = 32 * 400 * MADE_WARPS;
    made_advise(m);
}

static void narrow_issue(void)
{
    MADE(m);
    issue_bound(&m, 0);
    SAYS(&m, "let a thread move 16 (float4)");
}

static void wide_issue(void)
{
    MADE(m);
    issue_bound(&m, 1);
    SILENT(&m, "float4");
}

static void shared_loads(struct made *m, int line, uint64_t ways)
{
    made_line(m, line)->shared_load_requests = 10 * MADE_WARPS;
    made_line(m, line)->shared_load_wavefronts = ways * MADE_WARPS;
    made_line(m, line)->shared_load_conflicts = (ways - 10) * MADE_WARPS;
}

static void column_of_tile(void)
{
    MADE(m);
    shared_loads(&m, 3, 320);
    made_picture(&m, PICTURE_SHARED_LOAD, 3, 4, 128);
    made_advise(&m);
    SAYS(&m, "shared load takes 32.0 wavefronts where 1.0 would do, as "
             "neighbouring lanes are 32 words apart");
    SAYS(&m, "pad each row by one word");
    CU_ASSERT_EQUAL(m.advice[0].line, 13);
}

static void padded_tile(void)
{
    MADE(m);
    shared_loads(&m, 3, 11); /* one conflict in ten */
    made_picture(&m, PICTURE_SHARED_LOAD, 3, 4, 132);
    made_advise(&m);
    SILENT(&m, "wavefronts");
}

static void wide_conflict(void)
{
    MADE(m);
    shared_loads(&m, 0, 80);
    made_picture(&m, PICTURE_SHARED_LOAD, 0, 16, 512);
    made_advise(&m);
    SAYS(&m, "pad each row by 16 bytes");
}

static void two_words_apart(void)
{
    MADE(m);
    shared_loads(&m, 0, 20);
    made_picture(&m, PICTURE_SHARED_LOAD, 0, 4, 8);
    made_advise(&m);
    SAYS(&m, "2 words apart: let neighbours use neighbouring words");
}

static void global_atomics(struct made *m, uint64_t lanes)
{
    made_line(m, 1)->global_atomic_requests = MADE_WARPS;
    made_line(m, 1)->global_atomic_sectors = MADE_WARPS;
    made_line(m, 1)->global_atomic_passes = lanes * MADE_WARPS;
    made_line(m, 1)->global_atomic_hottest = 32 * MADE_WARPS;
    made_advise(m);
}

static void one_counter(void)
{
    MADE(m);
    global_atomics(&m, 32);
    SAYS(&m, "32.0 lanes of a warp meet at one address in its global atomic");
    SAYS(&m, "add up within the warp first");
}

static void few_bins(void)
{
    MADE(m);
    global_atomics(&m, 8);
    SAYS(&m, "collect in shared memory, one copy a block");
}

static void many_bins(void)
{
    MADE(m);
    global_atomics(&m, 2);
    SILENT(&m, "meet at one address");
}

static void shared_atomics(void)
{
    MADE(m);
    made_line(&m, 0)->shared_atomic_requests = MADE_WARPS;
    made_line(&m, 0)->shared_atomic_passes = 9 * MADE_WARPS;
    made_advise(&m);
    SAYS(&m, "keep several copies, one for each warp");
}

static void constants(struct made *m, uint64_t words)
{
    made_line(m, 0)->constant_requests = MADE_WARPS;
    made_line(m, 0)->constant_passes = words * MADE_WARPS;
    made_advise(m);
}

static void constants_by_lane(void)
{
    MADE(m);
    constants(&m, 32);
    SAYS(&m, "32.0 different words of constant memory");
}

static void constants_by_warp(void)
{
    MADE(m);
    constants(&m, 1);
    SILENT(&m, "constant memory");
}

CU_TestInfo advice_memory_tests[] = {
    {"a store down columns", column_store},
    {"a load down columns", column_load},
    {"near-miss: along rows", row_store},
    {"both sides down columns", both_columns},
    {"an array of structs", array_of_structs},
    {"a block four lanes wide", narrow_block},
    {"near-miss: a wide block", short_runs},
    {"a gather", gather},
    {"no sample access", without_picture},
    {"rows that begin off a sector", misaligned},
    {"near-miss: it costs nothing", misaligned_for_free},
    {"near-miss: some rows", mostly_aligned},
    {"several lines, the worst named", several_lines},
    {"the same sectors again and again", reread},
    {"the same, from a tile", reread_tile},
    {"near-miss: three times", reread_little},
    {"fields read and written", fields_both_ways},
    {"near-miss: fields only read", fields_one_way},
    {"near-miss: memory itself", narrow_lanes},
    {"4-byte lanes, bound by instructions", narrow_issue},
    {"near-miss: 16-byte lanes", wide_issue},
    {"a column of a tile", column_of_tile},
    {"near-miss: padded", padded_tile},
    {"16-byte lanes in conflict", wide_conflict},
    {"every second word", two_words_apart},
    {"one counter for all", one_counter},
    {"few bins", few_bins},
    {"near-miss: two lanes a bin", many_bins},
    {"shared bins", shared_atomics},
    {"constants by lane", constants_by_lane},
    {"near-miss: constants by warp", constants_by_warp},
    CU_TEST_INFO_NULL,
};

/* SPDX-License-Identifier: MIT */
/* Rules about shared memory, atomics and constants: each applies to a kernel,
 * and not to its near miss. */
#include <CUnit/Basic.h>

#include "advice_fixture.h"

static void shared_loads(struct made_kernel *m, int line, uint64_t ways)
{
    fixture_line(m, line)->shared_load_requests = 10 * FIXTURE_WARPS;
    fixture_line(m, line)->shared_load_wavefronts = ways * FIXTURE_WARPS;
    fixture_line(m, line)->shared_load_conflicts = (ways - 10) * FIXTURE_WARPS;
}

static void column_of_tile(void)
{
    FIXTURE(m);
    shared_loads(&m, 3, 320);
    fixture_pattern(&m, PATTERN_SHARED_LOAD, 3, 4, 128);
    fixture_advise(&m);
    SAYS(&m, "shared load takes 32.0 wavefronts instead of 1.0 (bank "
             "conflicts), as neighboring lanes are 32 words apart");
    SAYS(&m, "pad each row by one word");
    CU_ASSERT_EQUAL(m.advice[0].line, 13);
}

static void padded_tile(void)
{
    FIXTURE(m);
    shared_loads(&m, 3, 11); /* one conflict in ten wavefronts */
    fixture_pattern(&m, PATTERN_SHARED_LOAD, 3, 4, 132);
    fixture_advise(&m);
    SAYS_NOT(&m, "wavefronts");
}

static void wide_conflict(void)
{
    FIXTURE(m);
    shared_loads(&m, 0, 80);
    fixture_pattern(&m, PATTERN_SHARED_LOAD, 0, 16, 512);
    fixture_advise(&m);
    SAYS(&m, "pad each row by 16 bytes");
}

static void two_words_apart(void)
{
    FIXTURE(m);
    shared_loads(&m, 0, 20);
    fixture_pattern(&m, PATTERN_SHARED_LOAD, 0, 4, 8);
    fixture_advise(&m);
    SAYS(&m, "2 words apart: let neighboring lanes access neighboring words");
}

static void global_atomics(struct made_kernel *m, uint64_t lanes)
{
    fixture_line(m, 1)->global_atomic_requests = FIXTURE_WARPS;
    fixture_line(m, 1)->global_atomic_sectors = FIXTURE_WARPS;
    fixture_line(m, 1)->global_atomic_passes = lanes * FIXTURE_WARPS;
    fixture_line(m, 1)->global_atomic_hottest = 32 * FIXTURE_WARPS;
    fixture_advise(m);
}

static void one_counter(void)
{
    FIXTURE(m);
    global_atomics(&m, 32);
    SAYS(&m, "32.0 lanes of a warp have the same address in its global "
             "atomic");
    SAYS(&m, "reduce within the warp first");
}

static void few_bins(void)
{
    FIXTURE(m);
    global_atomics(&m, 8);
    SAYS(&m, "accumulate in shared memory, one copy per block");
}

static void many_bins(void)
{
    FIXTURE(m);
    global_atomics(&m, 2);
    SAYS_NOT(&m, "have the same address");
}

/* Lanes meet rarely, but all blocks add to one kilobyte, or to many. */
static void crowded_bins(void)
{
    FIXTURE(m);
    m.k.blocks = m.k.blocks_watched = 1;
    global_atomics(&m, 1);
    SAYS(&m, "all blocks add to the same kilobyte of global memory");
    m.k.blocks = m.k.blocks_watched = FIXTURE_WARPS;
    fixture_advise(&m);
    SAYS_NOT(&m, "kilobyte"); /* the copies would be as many */
}

/* A histogram whose blocks have copies adds them by global atomics. */
static void private_copies(void)
{
    FIXTURE(m);
    fixture_line(&m, 1)->shared_atomic_requests = 8 * FIXTURE_WARPS;
    fixture_line(&m, 1)->shared_atomic_passes = 8 * FIXTURE_WARPS;
    global_atomics(&m, 8);
    SAYS(&m, "fewer blocks, each with a loop over more of the input");
    SAYS_NOT(&m, "privatization");
}

static void shared_atomics(void)
{
    FIXTURE(m);
    fixture_line(&m, 0)->shared_atomic_requests = FIXTURE_WARPS;
    fixture_line(&m, 0)->shared_atomic_passes = 9 * FIXTURE_WARPS;
    fixture_advise(&m);
    SAYS(&m, "keep one copy per warp");
}

static void constants(struct made_kernel *m, uint64_t words)
{
    fixture_line(m, 0)->constant_requests = FIXTURE_WARPS;
    fixture_line(m, 0)->constant_passes = words * FIXTURE_WARPS;
    fixture_advise(m);
}

static void constants_by_lane(void)
{
    FIXTURE(m);
    constants(&m, 32);
    SAYS(&m, "32.0 different words of constant memory");
}

static void constants_by_warp(void)
{
    FIXTURE(m);
    constants(&m, 1);
    SAYS_NOT(&m, "constant memory");
}

CU_TestInfo advice_shared_tests[] = {
    {"a column of a tile", column_of_tile},
    {"near-miss: a padded tile", padded_tile},
    {"bank conflicts of 16-byte lanes", wide_conflict},
    {"stride of two words", two_words_apart},
    {"atomics on one counter", one_counter},
    {"atomics of all blocks on one kilobyte", crowded_bins},
    {"few bins", few_bins},
    {"near-miss: two lanes per bin", many_bins},
    {"near-miss: a copy per block already", private_copies},
    {"shared atomics", shared_atomics},
    {"constants by lane", constants_by_lane},
    {"near-miss: constants by warp", constants_by_warp},
    CU_TEST_INFO_NULL,
};

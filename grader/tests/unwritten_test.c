/* SPDX-License-Identifier: MIT */
/* Why elements were not written: each cause, and a near miss. */
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "compare_fixture.h"

static const char *hint;           /* of the last evidence */
static char text[DIAGNOSIS_SIZE];  /* its diagnosis */

/* Diagnose the wrong elements of an array of the device. */
static enum certainty diagnose_array(const struct expected *e,
                                     const unsigned char *poison)
{
    struct comparison c;
    struct evidence evidence = {e, &c, poison, NULL, 0, &launch, true};
    enum certainty certainty;

    CU_ASSERT_TRUE_FATAL(compare(e, &c));
    certainty = diagnose_values(&evidence, text, &hint);
    free(c.wrong_mask);
    return certainty;
}

/* A matrix of N elements, of which those from a column or row on are poison.
 */
static void leave_out(size_t rows, size_t columns, size_t row, size_t column)
{
    struct expected e = vector();
    unsigned char poison[sizeof got];

    e.size[0] = rows;
    e.size[1] = columns;
    memset(poison, 0x5a, sizeof poison);
    for (size_t i = 0; i < N; i++)
        if (i / columns >= row || i % columns >= column)
            memset(&got[i], 0x5a, sizeof got[i]);
    CU_ASSERT_EQUAL(diagnose_array(&e, poison), VAGUE);
}

/* The last columns, which no whole float4 of a row covers. */
static void ends_of_rows(void)
{
    leave_out(4, 6, 4, 4);
    CU_ASSERT_STRING_EQUAL(text, "never written");
    CU_ASSERT_TRUE(hint && strstr(hint, "float4"));
    leave_out(4, 6, 4, 3);
    CU_ASSERT_FALSE(hint && strstr(hint, "float4"));
    leave_out(2, 10, 2, 8); /* perhaps a tile */
    CU_ASSERT_FALSE(hint && strstr(hint, "float4"));
    leave_out(3, 8, 3, 4); /* whole vectors */
    CU_ASSERT_FALSE(hint && strstr(hint, "float4"));
}

/* Certain rows are not stored; a block of `side` x 2 threads stores a tile of
 * as many rows. */
static void leave_out_rows(uint32_t missing, size_t rows, unsigned side,
                           const char *what)
{
    struct expected e = vector();
    unsigned char poison[sizeof got];

    launch = (struct facts){.launches = 1, .counted = true,
                            .grid = {1, ((unsigned)rows - 1) / side + 1, 1},
                            .block = {side, 2, 1}};
    e.size[0] = rows;
    e.size[1] = N / rows;
    memset(poison, 0x5a, sizeof poison);
    for (size_t i = 0; i < N; i++)
        if (missing >> i / e.size[1] & 1)
            memset(&got[i], 0x5a, sizeof got[i]);
    CU_ASSERT_EQUAL(diagnose_array(&e, poison), VAGUE);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, what));
    CU_ASSERT_EQUAL(strlen(what) > 13, strlen(text) > 13);
}

/* The loop over a tile goes on by 4 rows, where the threads have 2; or it is
 * none, and no x and y are exchanged where the grid is that of square tiles. */
static void steps_of_passes(void)
{
    leave_out_rows(0xcccccc, 24, 8, "never written: of each 4 rows only the "
                   "first 2 were, and the 16 threads of a block store 2 at a "
                   "time: does the loop that stores go on by 4");
    leave_out_rows(0xccc, 12, 8, "of each 4 rows only the first 2 were");
    leave_out_rows(0xccc4cc, 24, 8, "never written"); /* one of them is there */
    leave_out_rows(0x333333, 24, 8, "never written");
    leave_out_rows(0xffc, 12, 16, "rows 2 to 11, and the 32 threads of a block "
                   "store 2 rows at a time: where does the loop that stores "
                   "end, and how far");
}

/* Certain rows, or columns, of a matrix of 8 x 3, or 3 x 8, are not stored; a
 * block of 4 x 2 threads stores a tile of 4 x 4.
 * blocks: of the grid, along the longer side */
static void leave_out_of_tiles(unsigned blocks, bool is_row, unsigned missing,
                               const char *what)
{
    struct expected e = vector();
    unsigned char poison[sizeof got];

    launch.block[0] = 4;
    launch.block[1] = 2;
    launch.grid[0] = is_row ? 1 : blocks;
    launch.grid[1] = is_row ? blocks : 1;
    e.size[0] = is_row ? 8 : 3;
    e.size[1] = is_row ? 3 : 8;
    memset(poison, 0x5a, sizeof poison);
    for (size_t i = 0; i < N; i++)
        if (missing >> (is_row ? i / 3 : i % 8) & 1)
            memset(&got[i], 0x5a, sizeof got[i]);
    CU_ASSERT_EQUAL(diagnose_array(&e, poison), VAGUE);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, what));
    CU_ASSERT_EQUAL(strlen(what) > 13, strlen(text) > 13);
}

/* The last pass over a tile is missing; or some other rows. */
static void passes(void)
{
    static const char never[] = "never written";

    leave_out_of_tiles(2, true, 0xcc, "rows 2 to 3 of each tile, and the 8 "
                       "threads of a block store 2 rows at a time");
    leave_out_of_tiles(2, false, 0xcc, "columns 2 to 3 of each tile");
    leave_out_of_tiles(2, true, 0x88, never); /* half a pass */
    leave_out_of_tiles(2, true, 0xc8, never); /* not of each tile alike */
    leave_out_of_tiles(2, true, 0x33, never); /* the first pass */
}

/* Rows below the blocks of the grid; and some that it has blocks for. */
static void below_grid(void)
{
    leave_out_of_tiles(1, true, 0xf0, "never written: rows from 4 on; the grid "
                       "has 1 x 1 blocks of 4 x 2 threads: is");
    leave_out_of_tiles(1, false, 0xf0, "never written: columns from 4 on");
    leave_out_of_tiles(1, true, 0xe0, "never written");
}

/* Blocks of 2 rows whose number continues in z. */
static void layers(void)
{
    vector();
    launch = (struct facts){.launches = 1, .counted = true,
                            .grid = {3, 2, 2}, .block = {2, 2, 1}};
    const struct facts tall = launch;
    struct expected e = vector();
    unsigned char poison[sizeof got];

    e.size[0] = 6;
    e.size[1] = 4;
    memset(poison, 0x5a, sizeof poison);
    for (int step = 0; step < 2; step++) {
        launch = tall;
        launch.grid[2] = step ? 1 : 2;
        memset(got + 16, 0x5a, 8 * sizeof *got);
        CU_ASSERT_EQUAL(diagnose_array(&e, poison), VAGUE);
        CU_ASSERT_EQUAL(!step, strstr(text, "blockIdx.z = 0 stored") != NULL);
    }
    launch = tall;
    memset(got + 15, 0x5a, 9 * sizeof *got); /* not whole rows */
    CU_ASSERT_EQUAL(diagnose_array(&e, poison), VAGUE);
    CU_ASSERT_PTR_NULL(strstr(text, "blockIdx.z"));
}

/* A matrix of which blocks of 2 x 4 threads leave the columns with bit 1 out,
 * and the number of blocks in x. */
static void skip_columns(size_t rows, size_t columns, unsigned blocks)
{
    struct expected e = vector();
    unsigned char poison[sizeof got];

    launch = (struct facts){.launches = 1, .counted = true,
                            .grid = {blocks, 1, 1}, .block = {2, 4, 1}};
    e.size[0] = rows;
    e.size[1] = columns;
    memset(poison, 0x5a, sizeof poison);
    for (size_t i = 0; i < N; i++)
        if (i % columns & 2)
            memset(&got[i], 0x5a, sizeof got[i]);
    CU_ASSERT_EQUAL(diagnose_array(&e, poison), VAGUE);
}

/* The index counts tiles of 4 x 2; of one tile alone the first block leaves as
 * much, and of fewer blocks, or of a loop that is lost, nothing is known. */
static void sides_of_a_block(void)
{
    skip_columns(4, 6, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "of each 4 columns only the first 2 "
                                        "were: a block has 2 x 4 threads"));
    CU_ASSERT_PTR_NULL(strstr(text, "blockIdx"));
    skip_columns(6, 4, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "only the first 2 columns were"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "does each index contain blockIdx?"));
    skip_columns(4, 6, 2);
    CU_ASSERT_STRING_EQUAL(text, "never written");
}

/* A vector of 70,001 elements, written up to `first`. */
static void write_first(size_t first)
{
    enum { COUNT = 70001 };
    float *big = calloc(COUNT, sizeof *big);
    double *wanted = calloc(COUNT, sizeof *wanted);
    unsigned char *poison = malloc(COUNT * sizeof *big);
    struct expected e = vector();

    CU_ASSERT_TRUE_FATAL(big && wanted && poison);
    memset(poison, 0x5a, COUNT * sizeof *big);
    memcpy(big + first, poison, (COUNT - first) * sizeof *big);
    e.got = big;
    e.want = wanted;
    e.size[0] = COUNT;
    CU_ASSERT_EQUAL(diagnose_array(&e, poison), VAGUE);
    free(big);
    free(wanted);
    free(poison);
}

static void numbers_of_16_bits(void)
{
    write_first(70001 - 65536);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "kept in 16 bits?"));
    write_first(70000 - 65536);
    CU_ASSERT_PTR_NULL(strstr(text, "16 bits"));
}

/* A matrix without what is not in one of the first `tiles` tiles of 16 x 16,
 * row by row, nor left of `column`. */
static void leave_tiles(const struct facts *known, size_t rows,
                        size_t columns, size_t tiles, size_t column)
{
    const size_t count = rows * columns, across = (columns + 15) / 16;
    float *big = calloc(count, sizeof *big);
    double *wanted = calloc(count, sizeof *wanted);
    unsigned char *poison = malloc(count * sizeof *big);
    struct expected e = vector();

    CU_ASSERT_TRUE_FATAL(big && wanted && poison);
    memset(poison, 0x5a, count * sizeof *big);
    for (size_t i = 0; i < count; i++)
        if (i / columns / 16 * across + i % columns / 16 >= tiles
            || i % columns >= column)
            memset(big + i, 0x5a, sizeof *big);
    e.got = big;
    e.want = wanted;
    e.size[0] = rows;
    e.size[1] = columns;
    launch = *known;
    CU_ASSERT_EQUAL(diagnose_array(&e, poison), VAGUE);
    free(big);
    free(wanted);
    free(poison);
}

/* As many tiles as there are warps, or blocks; or another number. */
static void tiles_of_warps(void)
{
    struct facts known = {.launches = 1, .counted = true, .grid = {1, 1, 1},
                          .block = {32, 4, 1}};

    leave_tiles(&known, 17, 33, 4, 33);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "the last 2 of 2 x 3 tiles, if these "
                                        "are 16 x 16, and 4 warps ran"));
    leave_tiles(&known, 17, 33, 5, 33);
    CU_ASSERT_STRING_EQUAL(text, "never written");
    known.grid[0] = 5;
    leave_tiles(&known, 17, 33, 5, 33);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "the last 1 of 2 x 3 tiles, if these "
                                        "are 16 x 16, and 5 blocks ran"));
}

/* Rows below those of some tiles are no sign of tiles, nor a tile's last pass
 * where a line of threads has but one tile. */
static void last_row(void)
{
    struct facts known = {.launches = 1, .counted = true, .grid = {1, 1, 1},
                          .block = {96, 1, 1}};

    leave_tiles(&known, 17, 33, 3, 33); /* three warps */
    CU_ASSERT_PTR_NULL(strstr(text, "if these are"));
    known.block[0] = 128;
    leave_tiles(&known, 17, 33, 3, 33);
    CU_ASSERT_PTR_NULL(strstr(text, "at a time"));
    known.block[0] = 32;
    known.block[1] = 4;
    leave_tiles(&known, 17, 33, 3, 33);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "store 4 rows at a time"));
}

/* Columns at the end of a grid of two dimensions, of one, or elsewhere. */
static void beyond_tiles_of_grid(void)
{
    for (unsigned kind = 0; kind < 3; kind++) {
        const struct facts known = {.launches = 1, .counted = true,
                                    .grid = {2, kind == 1 ? 1 : 2, 1},
                                    .block = {128, 1, 1}};

        leave_tiles(&known, 40, 67, 1000, kind == 2 ? 34 : 32);
        CU_ASSERT_EQUAL(kind == 0,
                        strstr(text, "columns from 32 on, where the grid's 2 "
                                     "blocks in x end if each stores 16")
                            != NULL);
    }
}

int main(void)
{
    CU_TestInfo tests[] = {{"ends of rows", ends_of_rows},
                            {"steps of passes", steps_of_passes},
                           {"passes over a tile", passes},
                           {"rows below the grid", below_grid},
                           {"layers of a grid", layers},
                           {"sides of a block", sides_of_a_block},
                           {"numbers of 16 bits", numbers_of_16_bits},
                           {"tiles of warps", tiles_of_warps},
                           {"last row", last_row},
                           {"beyond the tiles", beyond_tiles_of_grid},
                           CU_TEST_INFO_NULL};

    return run_tests("unwritten", tests);
}

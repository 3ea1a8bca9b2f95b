/* SPDX-License-Identifier: MIT */
/* Rows and columns that have all wrong elements, and near misses. */
#include "common/base/tests/run_tests.h"
#include "compare_fixture.h"

enum { ROWS = 70, COLUMNS = 36 };

static double right[ROWS * COLUMNS];
static float all[ROWS * COLUMNS];
static struct expected matrix = {.name = "c", .got = all, .want = right,
                                 .type = FLOAT32, .size = {ROWS, COLUMNS}};

/* Is this element wrong? */
typedef bool is_wrong_at(size_t row, size_t column);

static void spoil(is_wrong_at *is_wrong)
{
    launch.block[0] = 0;
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        right[i] = 100 + (double)i;
        all[i] = is_wrong(i / COLUMNS, i % COLUMNS)
                     ? -3 - (float)(i * i % 17) : (float)right[i];
    }
}

static bool second_half(size_t row, size_t column)
{
    return row % 32 >= 16 && (row + column) % 3;
}

static bool second_member(size_t row, size_t column)
{
    return column % 4 == 1 && row % 5;
}

static bool behind_tile(size_t row, size_t column)
{
    return column >= 32 && row % 2;
}

static bool in_tile(size_t row, size_t column)
{
    return row >= 16 && row < 32 && column < 8 && (row ^ column) % 3;
}

static bool anywhere(size_t row, size_t column)
{
    return (row * COLUMNS + column) % 7 == 0;
}

static bool all_but_two_rows(size_t row, size_t column)
{
    return row != 3 && row != 40 && column % 36 < 36;
}

static void bands(void)
{
    spoil(second_half);
    says(&matrix, "all in rows 16 to 31 of each 32", "");
    spoil(second_member);
    says(&matrix, "columns 1, 5, ... (each 4)", "");
    spoil(behind_tile);
    says(&matrix, "columns from 32 on", "");
    spoil(in_tile);
    says(&matrix, "all in rows 16 to 31 and columns 0 to 7", "");
}

static void no_bands(void)
{
    spoil(anywhere);
    says(&matrix, "", "");
    spoil(all_but_two_rows);
    says(&matrix, "", "");
}

int main(void)
{
    CU_TestInfo tests[] = {{"rows and columns", bands},
                           {"no pattern", no_bands},
                           CU_TEST_INFO_NULL};

    return run_tests("bands of wrong elements", tests);
}

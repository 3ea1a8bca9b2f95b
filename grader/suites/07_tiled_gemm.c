/* SPDX-License-Identifier: MIT */
/* Suite of lab 07: C = A B within the contract's error bound of the product in
 * double. */
#include "labs/07_tiled_gemm/tiled_gemm.h"
#include "shared/gemm.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))


static void multiply_only(struct gemm *g)
{
    suite_misalign("d_a", g->misalign_a);
    suite_misalign("d_b", g->misalign_b);
    suite_misalign("d_c", g->misalign_c);
    expect_success(tiled_gemm(g->a, g->b, g->c, g->m, g->n, g->k));
}

static void multiply(struct gemm *g)
{
    gemm_reference(g);
    multiply_only(g);
    gemm_compare(g);
}

static void small(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 2, 3},
                                   {3, 2, 1}, {2, 3, 1}, {4, 1, 5}, {7, 8, 9}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
}

static void edges(void)
{
    static const int sides[] = {15, 16, 17, 31, 32, 33, 65};

    gemm_test_edges(multiply, sides, COUNT(sides));
}

/* Full tiles, but not the same number in each dimension. */
static void rectangular(void)
{
    static const int sizes[][3] = {{128, 64, 32}, {32, 64, 128}, {64, 128, 32},
                                   {256, 32, 64}, {32, 256, 96}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
}

static void primes(void)
{
    static const int sizes[][3] = {{127, 129, 131}, {61, 257, 113},
                                   {257, 61, 7}, {101, 103, 509}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
}

/* One row, one column, k = 1; a k that overflows 16 bits; more rows than 65,535
 * tiles cover. */
static void one_row_or_column(void)
{
    static const int sizes[][3] = {{1, 1000, 50}, {1000, 1, 50}, {300, 300, 1},
                                   {1, 1, 3001}, {1, 20001, 3},
                                   {1, 1, 66003}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
    gemm_test_column(multiply, 32);
}

static void empty(void)
{
    static const int sizes[][3] = {{0, 5, 5}, {5, 0, 5}, {0, 0, 5}, {0, 0, 0}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
}

/* k = 0: C is 0. */
static void empty_k(void)
{
    static const int sizes[][3] = {{1, 1, 0}, {33, 65, 0}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
}

static void large(void)
{
    static const int sizes[][3] = {{384, 320, 256}, {301, 401, 203},
                                   {1201, 903, 5}};
    /* more tiles of 32 x 32 than grid_stride_blocks() makes blocks */
    static const int many_tiles[][3] = {{4500, 1030, 2}};

    static const int huge[][3] = {{GEMM_HUGE_ROWS, GEMM_HUGE_COLUMNS, 1},
                                  {GEMM_HUGE_ROWS, 1, GEMM_HUGE_COLUMNS},
                                  {1, GEMM_HUGE_COLUMNS, GEMM_HUGE_ROWS}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
    gemm_test_sizes(multiply, many_tiles, COUNT(many_tiles));
    for (size_t i = 0; i < COUNT(huge) && suite_use_sparse_memory(); i++) {
        suite_case("m = %d, n = %d, k = %d: more than 2^32 elements",
                   huge[i][0], huge[i][1], huge[i][2]);
        expect_far_access(tiled_gemm(suite_floats(1), suite_floats(1),
                                     suite_floats(1), huge[i][0], huge[i][1],
                                     huge[i][2]), true);
    }
}

static void precision(void) { gemm_test_precision(multiply); }
static void nonfinite(void) { gemm_test_nonfinite(multiply); }
static void misaligned(void) { gemm_test_misaligned(multiply); }
static void repeated(void) { gemm_test_deterministic(multiply); }
static int64_t multiply_small(void)
{
    return tiled_gemm(suite_floats(35), suite_floats(21), suite_floats(15), 5,
                      3, 7);
}

static void no_leak(void)
{
    gemm_test_no_leak(multiply);
    suite_check_failures(multiply_small);
}

static void timed(void)
{
    const int side = (int)suite_size(384, 4096);

    gemm_test_sampled(multiply_only, side, side, side);
}

/* Watched: partial tiles, a full and a partial one, none, misaligned
 * pointers. */
static void partial_tiles(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {5, 7, 3}, {33, 31, 34},
                                   {40, 70, 65}, {0, 3, 3}, {3, 35, 0},
                                   {64, 64, 33}, {64, 33, 32}, {33, 64, 32}};
    struct gemm g = {.m = 35, .n = 36, .k = 37, .alpha = 1, .misalign_a = 4,
                     .misalign_b = 8, .misalign_c = 12};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
    gemm_test_one_misaligned(multiply);
    gemm_create_random(&g);
    suite_case("m = 35, n = 36, k = 37, odd pointers");
    multiply(&g);
}

/* Each element of A, B and C must be transferred at least once. */
static void cube(void)
{
    enum { SIDE = 128 };
    struct gemm g = {.m = SIDE, .n = SIDE, .k = SIDE, .alpha = 1};
    const double min_sectors = gemm_min_sectors(&g),
                 multiply_adds = 1.0 * SIDE * SIDE * SIDE;

    gemm_create_random(&g);
    suite_case("m = n = k = %d", SIDE);
    multiply(&g);
    expect_metric(METRIC_SECTORS, min_sectors, min_sectors,
                  "x the minimum");
    expect_metric(METRIC_REQUESTS, min_sectors / 16, multiply_adds / 32,
                  "for each 32 multiplications");
    expect_metric(METRIC_CONFLICTS, 0, multiply_adds / 32,
                  "for each 32 multiplications");
    expect_metric(METRIC_BARRIERS, 0, SIDE, "for each term of a sum");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static const struct suite_test tests[] = {
    {"small", "one to nine elements a side", small},
    {"edges", "sides around the tile size", edges},
    {"oblong", "whole tiles, not square", rectangular},
    {"primes", "sides that no tile divides", primes},
    {"thin", "one row, one column, k = 1", one_row_or_column},
    {"empty", "m or n is 0", empty},
    {"no_depth", "k = 0", empty_k},
    {"precise", "precision of the sums", precision},
    {"special", "infinities, NaN, tiny and huge values", nonfinite},
    {"misaligned", "pointers aligned to 4 bytes only", misaligned},
    {"large", "some hundreds a side", large},
    {"again", "the same bits each time", repeated},
    {"frees", "no memory is leaked, errors are returned", no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"cube", "384 x 384 x 384 (on a card 4096)", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"corners", "partial tiles", partial_tiles},
    {"cube", "128 x 128 x 128", cube},
    {NULL, NULL, NULL},
};

const struct suite suite_07_tiled_gemm = {"07_tiled_gemm", tests, speeds,
                                          watched};

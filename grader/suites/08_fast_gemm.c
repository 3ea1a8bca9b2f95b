/* SPDX-License-Identifier: MIT */
/* Suite of lab 08: C = alpha A B + beta C within the contract's error bound of
 * the result in double. */
#include "labs/08_fast_gemm/fast_gemm.h"

#include <math.h>

#include "shared/gemm.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))


static void multiply_only(struct gemm *g)
{
    suite_misalign("d_a", g->misalign_a);
    suite_misalign("d_b", g->misalign_b);
    suite_misalign("d_c", g->misalign_c);
    expect_success(fast_gemm(g->a, g->b, g->c, g->m, g->n, g->k, g->alpha,
                             g->beta));
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
    static const int sides[] = {31, 32, 33, 127, 128, 129};

    gemm_test_edges(multiply, sides, COUNT(sides));
}

/* Values of k around the tile size. */
static void inner_sizes(void)
{
    for (int k = 1; k <= 34 && !suite_failed(); k++) {
        const int sizes[][3] = {{20, 24, k}};

        gemm_test_sizes(multiply, sizes, 1);
    }
}

static void rectangular(void)
{
    static const int sizes[][3] = {{64, 128, 256}, {256, 128, 64},
                                   {128, 256, 64}, {512, 64, 32},
                                   {64, 512, 32},  {100, 36, 72}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
}

static void primes(void)
{
    static const int sizes[][3] = {{127, 131, 137}, {61, 257, 113},
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
    gemm_test_column(multiply, 128);
}

static void empty(void)
{
    static const int sizes[][3] = {{0, 5, 5}, {5, 0, 5}, {0, 0, 5}, {0, 0, 0}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
}

/* With beta other than 0, NaN and infinities in C propagate. */
static void beta_reads_c(void)
{
    struct gemm g = {.m = 36, .n = 40, .k = 9, .alpha = 1, .beta = 1};

    for (; g.n > 38 && !suite_failed(); g.n--, g.beta = -2) {
        gemm_create_random(&g);
        g.c[3] = NAN;
        g.c[41] = INFINITY;
        g.c[36 * g.n - 1] = -INFINITY;
        suite_case("m = 36, n = %d, k = 9, beta = %g, NaN and infinities in C",
                   g.n, g.beta);
        multiply(&g);
    }
}

static void check_factors(struct gemm *g)
{
    gemm_create_random(g);
    suite_case("m = %d, n = %d, k = %d, alpha = %g, beta = %g", g->m, g->n,
               g->k, g->alpha, g->beta);
    multiply(g);
}

/* Pairs of alpha and beta, with k = 0 too; with rows aligned to 16 bytes and
 * rows that are not; and with so many terms that several blocks or launches may
 * share them. */
static void alpha_beta(void)
{
    static const float pairs[][2] = {{2, 0},     {-1.5f, 1}, {1, 1},
                                     {3, -2},    {0, 2},     {0, 1},
                                     {1, -2.5f}, {1, 1e-3f}, {-2, 0},
                                     {1e-9f, 0}, {0, 1e-9f}};

    for (size_t i = 0; i < 3 * COUNT(pairs) && !suite_failed(); i++) {
        struct gemm g = {.m = i % 3 ? 68 : 67, .n = i % 3 ? 72 : 71,
                         .k = i % 3 == 2 ? 0 : 24, .alpha = pairs[i / 3][0],
                         .beta = pairs[i / 3][1]};

        check_factors(&g);
    }
    for (size_t i = 0; i < COUNT(pairs) && !suite_failed(); i++) {
        struct gemm g = {.m = 33, .n = 36, .k = 1030, .alpha = pairs[i][0],
                         .beta = pairs[i][1]};

        check_factors(&g);
    }
    beta_reads_c();
}

/* With beta = 0 the old C is not read: NaN in it must not propagate. */
static void beta_zero_ignores_c(void)
{
    static const int sizes[][3] = {{65, 67, 20}, {64, 68, 20}, {64, 64, 0}};

    suite_keep_outputs(true);
    for (size_t i = 0; i < 2 * COUNT(sizes) && !suite_failed(); i++) {
        struct gemm g = {.m = sizes[i / 2][0], .n = sizes[i / 2][1],
                         .k = sizes[i / 2][2], .alpha = 1 - (float)(i % 2)};

        gemm_create_random(&g);
        for (size_t e = 0; e < (size_t)g.m * (size_t)g.n; e += 3)
            g.c[e] = INFINITY;
        suite_case("m = %d, n = %d, k = %d, alpha = %g, beta = 0 and NaN in C",
                   g.m, g.n, g.k, g.alpha);
        multiply(&g);
    }
    suite_keep_outputs(false);
}

/* A C large enough for a kernel that uses large tiles only then. */
static void large(void)
{
    static const int sizes[][3] = {{1537, 1411, 3}, {1540, 1412, 9},
                                   {301, 401, 203}};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
    for (int i = 0; i < 2 && suite_use_sparse_memory(); i++) {
        const int n = i ? 1 : GEMM_HUGE_COLUMNS, k = i ? GEMM_HUGE_COLUMNS : 1;

        suite_case("m = %d, n = %d, k = %d: more than 2^32 elements",
                   GEMM_HUGE_ROWS, n, k);
        expect_far_access(fast_gemm(suite_floats(1), suite_floats(1),
                                    suite_floats(1), GEMM_HUGE_ROWS, n, k, 1,
                                    0), true);
    }
}

static void precision(void) { gemm_test_precision(multiply); }

/* Also in a C that is large enough for large tiles. */
static void nonfinite(void)
{
    static const int sizes[][3] = {{1540, 1412, 12}};

    gemm_test_nonfinite(multiply);
    gemm_test_special_terms(multiply, sizes, COUNT(sizes));
}

static void misaligned(void) { gemm_test_misaligned(multiply); }

/* Also captured into a graph, as the trainer does. */
static void repeated(void)
{
    gemm_test_deterministic_beta(multiply);
    suite_capture_graph();
    gemm_test_deterministic(multiply);
}

static int64_t multiply_small(void)
{
    return fast_gemm(suite_floats(35), suite_floats(21), suite_floats(15), 5,
                     3, 7, 1, 0);
}

static void no_leak(void)
{
    gemm_test_no_leak(multiply);
    suite_check_failures(multiply_small);
}

static void timed(void)
{
    const int side = (int)suite_size(512, 4096);

    gemm_test_sampled(multiply_only, side, side, side);
}

static void timed_odd(void)
{
    const int side = (int)suite_size(512, 4096);

    gemm_test_sampled(multiply_only, side - 1, side + 1, side - 3);
}

/* Watched: partial tiles, a full and a partial one, none, misaligned pointers,
 * beta = 1. */
static void partial_tiles(void)
{
    static const int sizes[][3] = {{1, 1, 1},     {5, 7, 3}, {33, 31, 34},
                                   {130, 70, 17}, {0, 3, 3}, {3, 35, 0},
                                   {128, 68, 16}, {65, 128, 16},
                                   {128, 64, 18}};
    struct gemm g = {.m = 35, .n = 36, .k = 37, .alpha = 2, .beta = 1,
                     .misalign_a = 4, .misalign_b = 8, .misalign_c = 12};

    gemm_test_sizes(multiply, sizes, COUNT(sizes));
    gemm_test_one_misaligned(multiply);
    gemm_create_random(&g);
    suite_case("m = 35, n = 36, k = 37, odd pointers, beta = 1");
    multiply(&g);
}

/* For the model only: as many tiles of 128 x 128 as an H200 has SMs, so that a
 * kernel that selects its tile size uses large tiles. */
static void large_tiles(void)
{
    struct gemm g = {.m = 1536, .n = 1408, .k = 32, .alpha = 1};

    gemm_create_random(&g);
    suite_case("m = 1536, n = 1408, k = 32");
    multiply(&g);
}

/* Shared-memory wavefronts for each multiply-add of the inner loop, and the
 * transfers of A, B and C. */
static void square(void)
{
    struct gemm g = {.m = 128, .n = 128, .k = 64, .alpha = 1};
    const double min_sectors = gemm_min_sectors(&g),
                 multiply_adds = 128.0 * 128 * 64;

    gemm_create_random(&g);
    suite_case("m = n = 128, k = 64");
    multiply(&g);
    expect_metric(METRIC_WAVEFRONTS, 0, multiply_adds / 32,
                  "for each 32 multiply-adds");
    expect_metric(METRIC_CONFLICTS, 0, multiply_adds / 32,
                  "for each 32 multiply-adds");
    expect_metric(METRIC_SECTORS, min_sectors, min_sectors,
                  "x the minimum");
    expect_metric(METRIC_REQUESTS, min_sectors / 16, min_sectors / 16,
                  "x the minimum");
}

/* A small C with a large k: one block and its loop over k. */
static void long_k(void)
{
    struct gemm g = {.m = 64, .n = 64, .k = 256, .alpha = 1};
    const double multiply_adds = 64.0 * 64 * 256;

    gemm_create_random(&g);
    suite_case("m = n = 64, k = 256");
    multiply(&g);
    expect_metric(METRIC_WAVEFRONTS, 0, multiply_adds / 32,
                  "for each 32 multiply-adds");
    expect_metric(METRIC_SECTORS, gemm_min_sectors(&g), gemm_min_sectors(&g),
                  "x the minimum");
    expect_metric(METRIC_BARRIERS, 0, g.k / 8.0, "for each 8 terms");
}

static const struct suite_test tests[] = {
    {"small", "one to nine elements a side", small},
    {"edges", "sides around the tile size", edges},
    {"terms", "k from 1 to 34", inner_sizes},
    {"oblong", "whole tiles, not square", rectangular},
    {"primes", "sides that no tile divides", primes},
    {"thin", "one row, one column, k = 1", one_row_or_column},
    {"empty", "m or n is 0", empty},
    {"factors", "alpha and beta", alpha_beta},
    {"fresh", "beta = 0: C is not read", beta_zero_ignores_c},
    {"precise", "precision of the sums", precision},
    {"special", "infinities, NaN, tiny and huge values", nonfinite},
    {"misaligned", "rows of any alignment", misaligned},
    {"large", "a C of two million elements", large},
    {"again", "the same bits each time", repeated},
    {"frees", "no memory is leaked, errors are returned", no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"cube", "512 x 512 x 512 (on a card 4096)", timed},
    {"odd", "511 x 513 x 509 (on a card 4095 x 4097 x 4093)", timed_odd},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"corners", "partial tiles", partial_tiles},
    {"square", "128 x 128 x 64", square},
    {"deep", "64 x 64 x 256", long_k},
    {"wide", "1536 x 1408 x 32", large_tiles},
    {NULL, NULL, NULL},
};

const struct suite suite_08_fast_gemm = {"08_fast_gemm", tests, speeds,
                                         watched};

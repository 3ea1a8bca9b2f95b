/* SPDX-License-Identifier: MIT */
/* Suite of lab 08: C = alpha A B + beta C within the contract's bound of the
 * sums in double. */
#include "labs/08_fast_gemm/fast_gemm.h"

#include <math.h>

#include "gemm.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t off[3]; /* bytes off 256 of A, B, C, for the stub's next call */
static bool nan_in_c; /* the lab gets NaNs in a C that it must not read */

/* The stub: same signature, runs in the runner. */
int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    const size_t c = (size_t)m * n * sizeof *d_c;

    call_begin(0);
    call_in(ON_DEVICE, d_a, (size_t)m * k * sizeof *d_a);
    call_misalign(off[0]);
    call_in(ON_DEVICE, d_b, (size_t)k * n * sizeof *d_b);
    call_misalign(off[1]);
    if (beta == 0 && !nan_in_c)
        call_out(ON_DEVICE, d_c, c);
    else
        call_inout(ON_DEVICE, d_c, c);
    call_misalign(off[2]);
    call_integer(m);
    call_integer(n);
    call_integer(k);
    call_real(alpha);
    call_real(beta);
    return (int)call_end();
}

static void multiply_only(struct gemm *g)
{
    off[0] = g->off_a;
    off[1] = g->off_b;
    off[2] = g->off_c;
    expect_success(fast_gemm(g->a, g->b, g->c, g->m, g->n, g->k, g->alpha,
                             g->beta));
}

static void multiply(struct gemm *g)
{
    gemm_reference(g);
    multiply_only(g);
    gemm_expect(g);
}

static void small(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 2, 3},
                                   {3, 2, 1}, {2, 3, 1}, {4, 1, 5}, {7, 8, 9}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

static void edges(void)
{
    static const int sides[] = {31, 32, 33, 127, 128, 129};

    gemm_edges(multiply, sides, COUNT(sides));
}

/* Sums whose number of terms lies round that of a tile. */
static void terms(void)
{
    for (int k = 1; k <= 34 && !suite_failed(); k++) {
        const int sizes[][3] = {{20, 24, k}};

        gemm_sizes(multiply, sizes, 1);
    }
}

static void oblong(void)
{
    static const int sizes[][3] = {{64, 128, 256}, {256, 128, 64},
                                   {128, 256, 64}, {512, 64, 32},
                                   {64, 512, 32},  {100, 36, 72}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

static void primes(void)
{
    static const int sizes[][3] = {{127, 131, 137}, {61, 257, 113},
                                   {257, 61, 7}, {101, 103, 509}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

/* One row, one column, one term; more rows than 65,535 tiles of 128 cover, which
 * costs little without terms; terms that no 16 bits count. */
static void thin(void)
{
    static const int sizes[][3] = {{1, 1000, 50}, {1000, 1, 50}, {300, 300, 1},
                                   {1, 1, 3001}, {20001, 1, 3}, {1, 20001, 3},
                                   {1, 1, 66003}, {8400001, 1, 0}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

static void empty(void)
{
    static const int sizes[][3] = {{0, 5, 5}, {5, 0, 5}, {0, 0, 5}, {0, 0, 0}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

/* With another beta what is in C stays: a NaN, infinities. */
static void keeps(void)
{
    struct gemm g = {.m = 36, .n = 40, .k = 9, .alpha = 1, .beta = 1};

    for (; g.n > 38 && !suite_failed(); g.n--, g.beta = -2) {
        gemm_random(&g);
        g.c[3] = NAN;
        g.c[41] = INFINITY;
        g.c[36 * g.n - 1] = -INFINITY;
        suite_case("m = 36, n = %d, k = 9, beta = %g, NaN and infinities in C",
                   g.n, g.beta);
        multiply(&g);
    }
}

/* Factors, without terms too; rows that begin at multiples of 16 bytes and
 * rows that do not. */
static void factors(void)
{
    static const float pairs[][2] = {{2, 0},  {-0.5f, 1}, {1, 1}, {3, -2},
                                     {0, 2},  {0, 1},     {1, 1e-3f},
                                     {-2, 0}, {0, 1e-6f}};

    for (size_t i = 0; i < 3 * COUNT(pairs) && !suite_failed(); i++) {
        struct gemm g = {.m = i % 3 ? 68 : 67, .n = i % 3 ? 72 : 71,
                         .k = i % 3 == 2 ? 0 : 24, .alpha = pairs[i / 3][0],
                         .beta = pairs[i / 3][1]};

        gemm_random(&g);
        suite_case("m = %d, n = %d, k = %d, alpha = %g, beta = %g", g.m, g.n,
                   g.k, g.alpha, g.beta);
        multiply(&g);
    }
    keeps();
}

/* With beta = 0 what is in C does not matter, whatever it is. */
static void fresh(void)
{
    static const int sizes[][3] = {{65, 67, 20}, {64, 68, 20}, {64, 64, 0}};

    nan_in_c = true;
    for (size_t i = 0; i < 2 * COUNT(sizes) && !suite_failed(); i++) {
        struct gemm g = {.m = sizes[i / 2][0], .n = sizes[i / 2][1],
                         .k = sizes[i / 2][2], .alpha = 1 - (float)(i % 2)};

        gemm_random(&g);
        for (size_t e = 0; e < (size_t)g.m * (size_t)g.n; e += 3)
            g.c[e] = INFINITY;
        suite_case("m = %d, n = %d, k = %d, alpha = %g, beta = 0 and NaN in C",
                   g.m, g.n, g.k, g.alpha);
        multiply(&g);
    }
    nan_in_c = false;
}

/* Enough elements of C for a kernel that keeps its large tiles for these. */
static void large(void)
{
    static const int sizes[][3] = {{1537, 1411, 3}, {1540, 1412, 9},
                                   {301, 401, 203}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

static void precise(void) { gemm_precise(multiply); }
static void special(void) { gemm_special(multiply); }
static void misaligned(void) { gemm_misaligned(multiply); }

/* As the trainer makes the call, too: into a graph. */
static void again(void)
{
    gemm_again(multiply);
    suite_captured();
    gemm_again(multiply);
}

static void frees(void) { gemm_frees(multiply); }

static void timed(void)
{
    const int side = (int)suite_size(512, 4096);

    gemm_sampled(multiply_only, side, side, side);
}

static void timed_odd(void)
{
    const int side = (int)suite_size(512, 4096);

    gemm_sampled(multiply_only, side - 1, side + 1, side - 3);
}

/* Watched: parts of a tile, one and a bit, none, odd pointers, C read. */
static void corners(void)
{
    static const int sizes[][3] = {{1, 1, 1},     {5, 7, 3}, {33, 31, 34},
                                   {130, 70, 17}, {0, 3, 3}, {3, 35, 0},
                                   {128, 68, 16}};
    struct gemm g = {.m = 35, .n = 36, .k = 37, .alpha = 2, .beta = 1,
                     .off_a = 4, .off_b = 8, .off_c = 12};

    gemm_sizes(multiply, sizes, COUNT(sizes));
    gemm_random(&g);
    suite_case("m = 35, n = 36, k = 37, odd pointers, beta = 1");
    multiply(&g);
}

/* For the model alone: as many tiles of 128 x 128 as an H200 has SMs, so that
 * a kernel that chooses takes large ones. */
static void wide(void)
{
    struct gemm g = {.m = 1536, .n = 1408, .k = 32, .alpha = 1};

    gemm_random(&g);
    suite_case("m = 1536, n = 1408, k = 32");
    multiply(&g);
}

/* The inner loop: what is read from shared memory for each multiply-add; and how
 * tiles and C are moved. */
static void square(void)
{
    struct gemm g = {.m = 128, .n = 128, .k = 64, .alpha = 1};
    const double least = gemm_sectors(&g), all = 128.0 * 128 * 64;

    gemm_random(&g);
    suite_case("m = n = 128, k = 64");
    multiply(&g);
    expect_cost(COST_WAVEFRONTS, 0, all / 32, "for each 32 multiply-adds");
    expect_cost(COST_CONFLICTS, 0, all / 32, "for each 32 multiply-adds");
    expect_cost(COST_SECTORS, least, least, "x the least there can be");
    expect_cost(COST_REQUESTS, least / 16, least / 16,
                "x the least there can be");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

/* A small C with long sums: one block, and the loop over the terms. */
static void deep(void)
{
    struct gemm g = {.m = 64, .n = 64, .k = 256, .alpha = 1};
    const double all = 64.0 * 64 * 256;

    gemm_random(&g);
    suite_case("m = n = 64, k = 256");
    multiply(&g);
    expect_cost(COST_WAVEFRONTS, 0, all / 32, "for each 32 multiply-adds");
    expect_cost(COST_BARRIERS, 0, g.k / 8.0, "for each 8 terms");
}

static const struct suite_test tests[] = {
    {"small", "one to nine elements a side", small},
    {"edges", "sides round a tile's edge", edges},
    {"terms", "1 to 34 terms", terms},
    {"oblong", "whole tiles, not square", oblong},
    {"primes", "sides that no tile divides", primes},
    {"thin", "one row, one column, one term", thin},
    {"empty", "no element of C", empty},
    {"factors", "alpha and beta", factors},
    {"fresh", "NaN in a C that is not read", fresh},
    {"precise", "sums in enough bits", precise},
    {"special", "infinities, NaN, tiny and huge values", special},
    {"misaligned", "rows that begin anywhere", misaligned},
    {"large", "a C of two million elements", large},
    {"again", "the same bits each time", again},
    {"frees", "no device memory is kept", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"cube", "512 x 512 x 512 (on a card 4096)", timed},
    {"odd", "511 x 513 x 509 (on a card 4095 x 4097 x 4093)", timed_odd},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"corners", "parts of tiles", corners},
    {"square", "128 x 128 x 64", square},
    {"deep", "64 x 64 x 256", deep},
    {"wide", "1536 x 1408 x 32", wide},
    {NULL, NULL, NULL},
};

const struct suite suite_08_fast_gemm = {"08_fast_gemm", tests, speeds,
                                         watched};

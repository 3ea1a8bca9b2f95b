/* SPDX-License-Identifier: MIT */
/* Suite of lab 07: C = A B within the contract's bound of the sums in double. */
#include "labs/07_tiled_gemm/tiled_gemm.h"
#include "gemm.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t off[3]; /* bytes off 256 of A, B, C, for the stub's next call */

/* The stub: same signature, runs in the runner. */
int tiled_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
               int k)
{
    call_begin(0);
    call_in(ON_DEVICE, d_a, (size_t)m * k * sizeof *d_a);
    call_misalign(off[0]);
    call_in(ON_DEVICE, d_b, (size_t)k * n * sizeof *d_b);
    call_misalign(off[1]);
    call_out(ON_DEVICE, d_c, (size_t)m * n * sizeof *d_c);
    call_misalign(off[2]);
    call_integer(m);
    call_integer(n);
    call_integer(k);
    return (int)call_end();
}

static void multiply_only(struct gemm *g)
{
    off[0] = g->off_a;
    off[1] = g->off_b;
    off[2] = g->off_c;
    expect_success(tiled_gemm(g->a, g->b, g->c, g->m, g->n, g->k));
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
    static const int sides[] = {15, 16, 17, 31, 32, 33, 65};

    gemm_edges(multiply, sides, COUNT(sides));
}

/* Whole tiles, but more of them one way than the others. */
static void oblong(void)
{
    static const int sizes[][3] = {{32, 64, 128}, {128, 64, 32}, {64, 128, 32},
                                   {256, 32, 64}, {32, 256, 96}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

static void primes(void)
{
    static const int sizes[][3] = {{127, 129, 131}, {61, 257, 113},
                                   {257, 61, 7}, {101, 103, 509}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

/* One row, one column, one term; more rows than 65,535 tiles of 32 cover, which
 * costs little without terms; terms that no 16 bits count. */
static void thin(void)
{
    static const int sizes[][3] = {{1, 1000, 50}, {1000, 1, 50}, {300, 300, 1},
                                   {1, 1, 3001}, {20001, 1, 3}, {1, 20001, 3},
                                   {1, 1, 66003}, {2100001, 1, 0}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

static void empty(void)
{
    static const int sizes[][3] = {{0, 5, 5}, {5, 0, 5}, {0, 0, 5}, {0, 0, 0}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

/* Sums of no term: C is 0. */
static void no_depth(void)
{
    static const int sizes[][3] = {{1, 1, 0}, {33, 65, 0}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

static void large(void)
{
    static const int sizes[][3] = {{384, 320, 256}, {301, 401, 203},
                                   {1201, 903, 5}};

    gemm_sizes(multiply, sizes, COUNT(sizes));
}

static void precise(void) { gemm_precise(multiply); }
static void special(void) { gemm_special(multiply); }
static void misaligned(void) { gemm_misaligned(multiply); }
static void again(void) { gemm_again(multiply); }
static void frees(void) { gemm_frees(multiply); }

static void timed(void)
{
    const int side = (int)suite_size(384, 4096);

    gemm_sampled(multiply_only, side, side, side);
}

/* Watched: a part of a tile, one and a bit, none, odd pointers. */
static void corners(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {5, 7, 3}, {33, 31, 34},
                                   {40, 70, 65}, {0, 3, 3}, {3, 35, 0}};
    struct gemm g = {.m = 35, .n = 36, .k = 37, .alpha = 1, .off_a = 4,
                     .off_b = 8, .off_c = 12};

    gemm_sizes(multiply, sizes, COUNT(sizes));
    gemm_random(&g);
    suite_case("m = 35, n = 36, k = 37, odd pointers");
    multiply(&g);
}

/* Every element of A, B and C must be moved once. */
static void cube(void)
{
    enum { SIDE = 128 };
    struct gemm g = {.m = SIDE, .n = SIDE, .k = SIDE, .alpha = 1};
    const double least = gemm_sectors(&g), terms = 1.0 * SIDE * SIDE * SIDE;

    gemm_random(&g);
    suite_case("m = n = k = %d", SIDE);
    multiply(&g);
    expect_cost(COST_SECTORS, least, least, "x the least there can be");
    expect_cost(COST_REQUESTS, least / 16, terms / 32,
                "for each 32 multiplications");
    expect_cost(COST_CONFLICTS, 0, terms / 32, "for each 32 multiplications");
    expect_cost(COST_BARRIERS, 0, SIDE, "for each term of a sum");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static const struct suite_test tests[] = {
    {"small", "one to nine elements a side", small},
    {"edges", "sides round a tile's edge", edges},
    {"oblong", "whole tiles, not square", oblong},
    {"primes", "sides that no tile divides", primes},
    {"thin", "one row, one column, one term", thin},
    {"empty", "no element of C", empty},
    {"no_depth", "sums of no term", no_depth},
    {"precise", "sums in enough bits", precise},
    {"special", "infinities, NaN, tiny and huge values", special},
    {"misaligned", "pointers that only a float's alignment fits", misaligned},
    {"large", "some hundreds a side", large},
    {"again", "the same bits each time", again},
    {"frees", "no device memory is kept", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"cube", "384 x 384 x 384 (on a card 4096)", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"corners", "parts of tiles", corners},
    {"cube", "128 x 128 x 128", cube},
    {NULL, NULL, NULL},
};

const struct suite suite_07_tiled_gemm = {"07_tiled_gemm", tests, speeds,
                                          watched};

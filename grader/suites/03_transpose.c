/* SPDX-License-Identifier: MIT */
/* Suite of lab 03: out[c][r] = in[r][c], bit for bit. */
#include <string.h>

#include "labs/03_transpose/transpose.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Sides of the input, and how far its pointers are off 256 bytes. */
struct transpose_case {
    int rows, cols;
    size_t in_off, out_off;
};

static size_t off_in, off_out; /* bytes, for the stub's next call */

/* The stub: same signature, runs in the runner. */
int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    size_t bytes = (size_t)rows * cols * sizeof *d_in;

    call_begin(0);
    call_in(ON_DEVICE, d_in, bytes);
    call_misalign(off_in);
    call_out(ON_DEVICE, d_out, bytes);
    call_misalign(off_out);
    call_integer(rows);
    call_integer(cols);
    return (int)call_end();
}

/* Transpose in and compare, as floats or, where NaNs differ, as their bits. */
static void check(const float *in, const struct transpose_case *c,
                  enum element type)
{
    size_t rows = (size_t)c->rows, cols = (size_t)c->cols;
    float *out = suite_floats(rows * cols);
    double *want = suite_doubles(rows * cols);

    suite_case("%zu x %zu", rows, cols);
    for (size_t i = 0; i < rows * cols; i++)
        want[i % cols * rows + i / cols] = element_at(in, type, i);
    off_in = c->in_off;
    off_out = c->out_off;
    expect_success(transpose(in, out, c->rows, c->cols));
    expect_elements(&(struct expected){
        .name = "out", .got = out, .want = want, .type = type, .input = in,
        .size = {cols, rows}});
}

static void check_random(const struct transpose_case *c)
{
    size_t n = (size_t)c->rows * c->cols;
    float *in = suite_floats(n);

    random_spread(in, n);
    check(in, c, FLOAT32);
}

static void check_all(const struct transpose_case *cases, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check_random(&cases[i]);
}

static void small(void)
{
    for (int i = 0; i < 16 && !suite_failed(); i++)
        check_random(&(struct transpose_case){i / 4 + 1, i % 4 + 1, 0, 0});
}

static void empty(void)
{
    static const struct transpose_case cases[] = {
        {0, 0, 0, 0}, {0, 5, 0, 0}, {5, 0, 0, 0}};

    check_all(cases, COUNT(cases));
}

/* Every pair of sides around a tile's edge. */
static void edges(void)
{
    static const int sides[] = {15, 16, 17, 31, 32, 33, 63, 64, 65};
    enum { N = COUNT(sides) };

    for (int i = 0; i < N * N && !suite_failed(); i++)
        check_random(&(struct transpose_case){sides[i / N], sides[i % N],
                                              0, 0});
}

/* Whole tiles, but more of them one way than the other. */
static void oblong(void)
{
    static const struct transpose_case cases[] = {
        {64, 128, 0, 0}, {256, 32, 0, 0}, {96, 1024, 0, 0}, {512, 64, 0, 0},
        {100, 36, 0, 0}, {4, 1000, 0, 0}};

    check_all(cases, COUNT(cases));
}

static void primes(void)
{
    static const struct transpose_case cases[] = {
        {7, 1009, 0, 0}, {257, 61, 0, 0}, {127, 509, 0, 0}, {1023, 255, 0, 0},
        {257, 1025, 0, 0}};

    check_all(cases, COUNT(cases));
}

/* One row, one column, and more rows than 65,535 tiles of 32 cover. */
static void thin(void)
{
    static const struct transpose_case cases[] = {
        {1, 100003, 0, 0}, {100003, 1, 0, 0}, {2, 70001, 0, 0},
        {70001, 2, 0, 0},  {2100001, 1, 0, 0}};

    check_all(cases, COUNT(cases));
}

/* Pointers that only a float's alignment fits. */
static void misaligned(void)
{
    static const struct transpose_case cases[] = {
        {64, 64, 4, 0},   {64, 64, 0, 4}, {128, 96, 12, 8},
        {33, 64, 4, 4}, {64, 128, 8, 8}};

    check_all(cases, COUNT(cases));
}

/* All 2^32 bit patterns are as good as any: NaNs keep their payload. */
static void bits(void)
{
    static const struct transpose_case c = {96, 80, 0, 0};
    const size_t n = (size_t)c.rows * c.cols;
    float *in = suite_floats(n);

    random_bytes((uint8_t *)in, n * sizeof *in);
    for (size_t i = 0; i < n; i += 97) /* quiet and signalling NaNs */
        memcpy(&in[i], &(uint32_t){0x7f800001u + (uint32_t)i * 4099u}, 4);
    check(in, &c, INT32);
}

static void large(void)
{
    static const struct transpose_case cases[] = {
        {1024, 1024, 0, 0}, {1021, 1531, 0, 0}};

    check_all(cases, COUNT(cases));
}

/* Three times with other numbers, the last time turned back. */
static void again(void)
{
    static const struct transpose_case cases[] = {
        {120, 200, 0, 0}, {120, 200, 0, 0}, {200, 120, 0, 0}};

    check_all(cases, COUNT(cases));
}

static void frees(void)
{
    static const struct transpose_case cases[] = {
        {300, 500, 0, 0}, {500, 300, 0, 0}};

    for (size_t i = 0; i < COUNT(cases) && !suite_failed(); i++) {
        check_random(&cases[i]);
        expect_no_leak();
    }
}

static void timed_square(void)
{
    const int side = (int)suite_size(1024, 16384);

    check_random(&(struct transpose_case){side, side, 0, 0});
}

static void timed_odd(void)
{
    const int side = (int)suite_size(1024, 8192);

    check_random(&(struct transpose_case){side - 1, side + 1, 0, 0});
}

/* Watched: parts of a tile, several, a row, a column, odd pointers. */
static void corners(void)
{
    static const struct transpose_case cases[] = {
        {1, 1, 0, 0},  {3, 5, 0, 0},   {33, 31, 0, 0}, {64, 96, 0, 0},
        {65, 36, 0, 0}, {1, 100, 0, 0}, {100, 1, 0, 0}, {32, 64, 4, 8},
        {0, 7, 0, 0}};

    check_all(cases, COUNT(cases));
}

/* Each element is read once and written once, in one launch. */
static void square(void)
{
    enum { SIDE = 128, N = SIDE * SIDE };

    check_random(&(struct transpose_case){SIDE, SIDE, 0, 0});
    expect_cost(COST_SECTORS, 2.0 * N / 8, 2.0 * N / 8,
                "x the least there can be");
    expect_cost(COST_CONFLICTS, 0, N / 32.0, "for each 32 elements");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static const struct suite_test tests[] = {
    {"small", "one to four elements a side", small},
    {"edges", "sides round a tile's edge, square or not", edges},
    {"oblong", "whole tiles, not square", oblong},
    {"primes", "sides that no tile divides", primes},
    {"thin", "one row or one column, up to 2,100,001", thin},
    {"empty", "no element at all", empty},
    {"misaligned", "pointers that only a float's alignment fits", misaligned},
    {"bits", "any bits, NaN payloads too", bits},
    {"large", "a million elements and more", large},
    {"again", "called three times in a row", again},
    {"frees", "no device memory is kept", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"square", "1024 x 1024 (on a card 16384)", timed_square},
    {"odd", "1023 x 1025 (on a card 8191 x 8193)", timed_odd},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"corners", "a few elements to a few tiles", corners},
    {"square", "128 x 128", square},
    {NULL, NULL, NULL},
};

const struct suite suite_03_transpose = {"03_transpose", tests, speeds,
                                         watched};

/* SPDX-License-Identifier: MIT */
/* Suite of lab 03: out[c][r] = in[r][c], bit for bit. */
#include <string.h>

#include "labs/03_transpose/transpose.h"
#include "grader/suite/suite.h"
#include "grader/suites/03_transpose/mistakes.h"
#include "grader/suites/03_transpose/response.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Sides of the input, and the misalignment of the pointers in bytes. */
struct transpose_case {
    int rows, cols;
    size_t in_off, out_off;
};

/* Transposes `in` and compares, as floats or as their bit patterns. */
static void check(const float *in, const struct transpose_case *c,
                  enum element type)
{
    size_t rows = (size_t)c->rows, cols = (size_t)c->cols;
    const struct matrix matrix = {in, type, rows, cols};
    const struct response response = transpose_response(&matrix);
    float *out = suite_floats(rows * cols);
    double *want = suite_doubles(rows * cols);

    suite_case("%zu x %zu", rows, cols);
    for (size_t i = 0; i < rows * cols; i++)
        want[i % cols * rows + i / cols] = element_value(in, type, i);
    suite_misalign("d_in", c->in_off);
    suite_misalign("d_out", c->out_off);
    suite_overrun_hint("The output has `cols` rows of `rows` elements: element "
                       "(r, c) goes to out[c * rows + r]. Is the row stride of "
                       "the store, or a bounds check of it, that of the "
                       "input, or is there no check?");
    expect_success(transpose(in, out, c->rows, c->cols));
    expect_elements(&(struct expected){
        .name = "out", .got = out, .want = want, .type = type, .input = in,
        .size = {cols, rows}, .is_moved = true,
        .mistakes = transpose_mistakes,
        .context = &matrix, .response = &response});
}

static void check_random(const struct transpose_case *c)
{
    size_t n = (size_t)c->rows * c->cols;
    float *in = suite_floats(n);

    random_wide_range(in, n);
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

/* All pairs of sides around the tile sizes. */
static void edges(void)
{
    static const int sides[] = {15, 16, 17, 31, 32, 33, 63, 64, 65};
    enum { N = COUNT(sides) };

    for (int i = 0; i < N * N && !suite_failed(); i++)
        check_random(&(struct transpose_case){sides[i / N], sides[i % N],
                                              0, 0});
}

/* Full tiles, but not the same number in each dimension. */
static void rectangular(void)
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

/* One row, one column, and more of each than 65,535 tiles (the limit of
 * gridDim.y) cover. */
static void one_row_or_column(void)
{
    enum { LONG = 100003, TILE = 32 };
    static const struct transpose_case cases[] = {
        {2, 70001, 0, 0}, {70001, 2, 0, 0}};

    check_all(cases, COUNT(cases));
    for (int n = LONG; n; n = suite_rows_beyond_grid(n, TILE))
        check_random(&(struct transpose_case){1, n, 0, 0});
    for (int n = suite_failed() ? 0 : LONG; n;
         n = suite_rows_beyond_grid(n, TILE))
        check_random(&(struct transpose_case){n, 1, 0, 0});
    if (!suite_failed()) /* whole float4, in tiles of 64 rows */
        check_random(&(struct transpose_case){65535 * 64 + 68, 4, 0, 0});
}

/* Pointers that are aligned to 4 bytes only. */
static void misaligned(void)
{
    static const struct transpose_case cases[] = {
        {64, 64, 4, 0},   {64, 64, 0, 4}, {128, 96, 12, 8},
        {33, 64, 4, 4}, {64, 128, 8, 8}};

    check_all(cases, COUNT(cases));
}

/* Any bit pattern is copied unchanged; NaNs keep their payload. */
static void bits(void)
{
    static const struct transpose_case c = {96, 80, 0, 0};
    const size_t n = (size_t)c.rows * c.cols;
    float *in = suite_floats(n);

    random_bytes((uint8_t *)in, n * sizeof *in);
    for (size_t i = 0; i < n; i += 97) /* quiet and signaling NaNs */
        memcpy(&in[i], &(uint32_t){0x7f800001u + (uint32_t)i * 4099u}, 4);
    for (size_t i = 1; i < n; i += 97) /* -0, and the smallest numbers */
        memcpy(&in[i], &(uint32_t){0x80000000u + (uint32_t)i % 3}, 4);
    check(in, &c, BITS32);
}

static void large(void)
{
    enum { HUGE_COLUMNS = 65536,
           HUGE_ROWS = 2 * SUITE_FAR_ELEMENTS / HUGE_COLUMNS };
    static const struct transpose_case cases[] = {
        {1024, 1024, 0, 0}, {1021, 1531, 0, 0}};

    check_all(cases, COUNT(cases));
    if (!suite_use_sparse_memory())
        return;
    suite_case("%d x %d: more than 2^32 elements", HUGE_ROWS, HUGE_COLUMNS);
    expect_far_access(transpose(suite_floats(1), suite_floats(1), HUGE_ROWS,
                                HUGE_COLUMNS), true);
}

/* Three calls with new inputs, the last one with swapped sides. */
static void repeated(void)
{
    static const struct transpose_case cases[] = {
        {120, 200, 0, 0}, {120, 200, 0, 0}, {200, 120, 0, 0}};

    check_all(cases, COUNT(cases));
}

static int64_t transpose_small(void)
{
    return transpose(suite_floats(15), suite_floats(15), 3, 5);
}

static void no_leak(void)
{
    static const struct transpose_case cases[] = {
        {300, 500, 0, 0}, {500, 300, 0, 0}};

    for (size_t i = 0; i < COUNT(cases) && !suite_failed(); i++) {
        check_random(&cases[i]);
        expect_no_leak();
    }
    suite_check_failures(transpose_small);
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

/* Watched: partial tiles, several tiles, a row, a column, misaligned
 * pointers. */
static void partial_tiles(void)
{
    static const struct transpose_case cases[] = {
        {1, 1, 0, 0},  {3, 5, 0, 0},   {33, 31, 0, 0}, {64, 96, 0, 0},
        {65, 36, 0, 0}, {1, 100, 0, 0}, {100, 1, 0, 0}, {32, 64, 4, 8},
        {0, 7, 0, 0},   {36, 65, 0, 0}, {36, 40, 4, 0}, {36, 40, 0, 8},
        {64, 33, 0, 0}, {33, 64, 0, 0}}; /* one side is whole tiles */

    check_all(cases, COUNT(cases));
}

/* Each element is loaded once and stored once, in one launch. */
static void square(void)
{
    enum { SIDE = 128, N = SIDE * SIDE };

    check_random(&(struct transpose_case){SIDE, SIDE, 0, 0});
    expect_metric(METRIC_SECTORS, 2.0 * N / 8, 2.0 * N / 8,
                  "x the minimum");
    expect_metric(METRIC_CONFLICTS, 0, N / 32.0, "for each 32 elements");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static const struct suite_test tests[] = {
    {"small", "one to four elements a side", small},
    {"edges", "sides around the tile size", edges},
    {"oblong", "whole tiles, not square", rectangular},
    {"primes", "sides that no tile divides", primes},
    {"thin", "one row or one column, up to 2,100,001", one_row_or_column},
    {"empty", "no element at all", empty},
    {"misaligned", "pointers aligned to 4 bytes only", misaligned},
    {"bits", "any bit pattern, NaN payloads too", bits},
    {"large", "a million elements and more", large},
    {"again", "called three times in a row", repeated},
    {"frees", "no memory is leaked, errors are returned", no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"square", "1024 x 1024 (on a card 16384)", timed_square},
    {"odd", "1023 x 1025 (on a card 8191 x 8193)", timed_odd},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"corners", "a few elements to a few tiles", partial_tiles},
    {"square", "128 x 128", square},
    {NULL, NULL, NULL},
};

const struct suite suite_03_transpose = {"03_transpose", tests, speeds,
                                         watched};

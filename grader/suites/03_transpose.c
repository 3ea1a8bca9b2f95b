/* SPDX-License-Identifier: MIT */
/* Suite of lab 03: out[c][r] = in[r][c], bit for bit. */
#include <string.h>

#include "labs/03_transpose/transpose.h"
#include "grader/suite/hypothesis.h"
#include "grader/suite/suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Sides of the input, and the misalignment of the pointers in bytes. */
struct transpose_case {
    int rows, cols;
    size_t in_off, out_off;
};

/* A matrix, to be transposed. */
struct matrix {
    const float *in;
    enum element type;
    size_t rows, cols; /* of the input */
};

static double element_at(const struct matrix *m, size_t row, size_t col)
{
    return row < m->rows && col < m->cols
               ? element_value(m->in, m->type, row * m->cols + col)
               : HYPOTHESIS_ANY;
}

/* Only one of two steps is done: tiles are exchanged, or the elements in
 * them. */
static void half_transposed(struct hypotheses *h, const struct matrix *m,
                            size_t tile, bool tiles_exchanged)
{
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < m->rows * m->cols; i++) {
        const size_t row = i / m->rows, col = i % m->rows;
        const size_t y = row % tile, x = col % tile;

        values[i] = tiles_exchanged
                        ? element_at(m, col - x + y, row - y + x)
                        : element_at(m, row - y + x, col - x + y);
    }
    hypothesis_try(
        h, "Tile (i, j) goes to (j, i), and within a tile element (y, x) goes "
        "to (x, y): both indices change.",
        tiles_exchanged
            ? "that of tiles of %zu x %zu in their right places, but not "
              "transposed inside"
            : "that of tiles of %zu x %zu that are transposed inside, but "
              "stored where they were", tile, tile);
}

/* An index with the row stride of the other matrix. */
static void wrong_stride(struct hypotheses *h, const struct matrix *m)
{
    const size_t count = m->rows * m->cols;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < count; i++) { /* of the load */
        const size_t from = i % m->rows * m->rows + i / m->rows;

        values[i] = from < count ? element_value(m->in, m->type, from)
                                 : HYPOTHESIS_ANY;
    }
    hypothesis_try(h, "The row stride of the input is `cols`.",
                   "loaded with the row stride of the output");
    values = hypothesis_values(h);
    for (size_t i = 0; i < count; i++)
        values[i] = HYPOTHESIS_ANY;
    for (size_t i = 0; i < count; i++) { /* of the store */
        const size_t to = i / m->rows * m->cols + i % m->rows;

        if (to < count)
            values[to] = element_at(m, i % m->rows, i / m->rows);
    }
    hypothesis_try(h, "The row stride of the output is `rows`.",
                   "stored with the row stride of the input");
}

/* A warp transposes a tile in its registers: in one round for each bit of the
 * lane, elements of registers and lanes that differ in this bit are exchanged.
 * Where both bits are equal, the round changes nothing. */
static void rounds_left_out(struct hypotheses *h, const struct matrix *m,
                            size_t bits)
{
    enum { LANES = 32 };
    const size_t low = bits & -bits, high = bits & ~(bits >> 1);
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < m->rows * m->cols; i++) {
        const size_t row = i / m->rows, col = i % m->rows;
        const size_t differ = (row ^ col) % LANES & bits;

        values[i] = element_at(m, col ^ differ, row ^ differ);
    }
    hypothesis_try(h, "In registers, a tile is transposed in five rounds of "
                   "shuffles, at 16, 8, 4, 2 and 1: does the loop over them "
                   "begin and end there?", low == high
                   ? "that of a tile whose rows and columns are exchanged but "
                     "for the bit of %zu: no round exchanges elements at this "
                     "distance"
                   : "that of a tile whose rows and columns are exchanged but "
                     "for the bits of %zu to %zu: no round exchanges elements "
                     "at these distances", low, high);
}

/* One round, or the first or last two or three; without those at 4, 2 and 1,
 * tiles of 8 are not transposed.  Smaller matrices would be copied. */
static void try_rounds(struct hypotheses *h, const struct matrix *m)
{
    static const size_t left_out[] = {1, 2, 4, 8, 16, 3, 24, 28};

    for (size_t k = 0; k < COUNT(left_out); k++)
        if (left_out[k] + 1 < m->rows || left_out[k] + 1 < m->cols)
            rounds_left_out(h, m, left_out[k]);
}

static void usual_mistakes(struct hypotheses *h, const void *context)
{
    const struct matrix *m = context;

    if (m->rows < 2 || m->cols < 2)
        return;
    for (size_t tile = 8; tile <= 64; tile *= 2) {
        if (tile > m->rows && tile > m->cols)
            continue; /* a single tile: not different from a copy */
        half_transposed(h, m, tile, true);
        half_transposed(h, m, tile, false);
    }
    try_rounds(h, m);
    if (m->rows != m->cols)
        wrong_stride(h, m);
}

/* Transposes `in` and compares, as floats or as their bit patterns. */
static void check(const float *in, const struct transpose_case *c,
                  enum element type)
{
    size_t rows = (size_t)c->rows, cols = (size_t)c->cols;
    const struct matrix matrix = {in, type, rows, cols};
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
        .size = {cols, rows}, .mistakes = usual_mistakes,
        .context = &matrix});
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

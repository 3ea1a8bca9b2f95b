/* SPDX-License-Identifier: MIT */
/* Shared parts of the suites of matrix products. */
#include "gemm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gemm_mistakes.h"
#include "gemm_response.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

void gemm_create_arrays(struct gemm *g)
{
    const size_t c = gemm_elements(g->m, g->n);

    g->a = suite_floats(gemm_elements(g->m, g->k));
    g->b = suite_floats(gemm_elements(g->k, g->n));
    g->c = suite_floats(c);
    g->want = suite_doubles(c);
    g->scale = suite_doubles(c);
}

void gemm_create_random(struct gemm *g)
{
    const size_t c = gemm_elements(g->m, g->n);

    gemm_create_arrays(g);
    random_wide_range(g->a, gemm_elements(g->m, g->k));
    random_wide_range(g->b, gemm_elements(g->k, g->n));
    random_wide_range(g->c, c);
    for (size_t i = 0; g->beta == 0 && i < c; i++)
        g->c[i] = NAN;
}

/* Computes row i of A B and its error scale. */
static void accumulate_row(struct gemm *g, size_t i)
{
    const size_t n = (size_t)g->n, k = (size_t)g->k;
    double *want = g->want + i * n, *scale = g->scale + i * n;

    memset(want, 0, n * sizeof *want);
    memset(scale, 0, n * sizeof *scale);
    for (size_t p = 0; p < k; p++) {
        const double a = g->a[i * k + p];
        const float *b = g->b + p * n;

        for (size_t j = 0; j < n; j++) {
            want[j] += a * b[j];
            scale[j] += fabs(a * b[j]);
        }
    }
}

void gemm_reference(struct gemm *g)
{
    const size_t n = (size_t)g->n;

    for (size_t i = 0; i < (size_t)g->m; i++) {
        accumulate_row(g, i);
        for (size_t e = i * n; e < (i + 1) * n; e++) {
            const double beta_term =
                g->beta == 0 ? 0 : (double)g->beta * g->c[e];

            g->want[e] = g->alpha * g->want[e] + beta_term;
            g->scale[e] = fabs(g->alpha) * g->scale[e] + fabs(beta_term);
        }
    }
}

/* half, because compare.h doubles the steps */
void gemm_compare(const struct gemm *g)
{
    const struct response response = gemm_response(g);

    expect_elements(&(struct expected){
        .name = "C", .got = g->c, .want = g->want, .type = FLOAT32,
        .size = {(size_t)g->m, (size_t)g->n}, .scale = g->scale,
        .steps = (g->k + 2) / 2.0,
        .mistakes = g->mistakes ? g->mistakes : gemm_mistakes, .context = g,
        .response = g->alpha == 0 ? NULL : &response});
}

double gemm_min_sectors(const struct gemm *g)
{
    const size_t c = gemm_elements(g->m, g->n);

    return (double)(gemm_elements(g->m, g->k) + gemm_elements(g->k, g->n)
                    + (g->beta == 0 ? c : 2 * c)) / 8;
}

/* Names the case. */
static void name_case(const struct gemm *g, const char *what)
{
    const bool is_misaligned = g->misalign_a || g->misalign_b || g->misalign_c;
    char suffix[64] = "";

    if (is_misaligned)
        snprintf(suffix, sizeof suffix, ", pointers %zu, %zu, %zu bytes off",
                 g->misalign_a, g->misalign_b, g->misalign_c);
    suite_case("m = %d, n = %d, k = %d%s%s", g->m, g->n, g->k, what, suffix);
}

/* Names the case and makes one call with random arrays. */
static void call_random(gemm_call *call, struct gemm *g)
{
    name_case(g, "");
    gemm_create_random(g);
    call(g);
}

void gemm_test_sizes(gemm_call *call, const int (*sizes)[3], size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        call_random(call, &(struct gemm){.m = sizes[i][0], .n = sizes[i][1],
                                         .k = sizes[i][2], .alpha = 1});
}

void gemm_test_column(gemm_call *call, int most)
{
    enum { LONG = 20001 };

    for (int m = suite_failed() ? 0 : LONG; m;
         m = suite_rows_beyond_grid(m, most)) {
        const bool is_empty = m != LONG;

        call_random(call, &(struct gemm){.m = m, .n = 1,
                                         .k = is_empty ? 0 : 3, .alpha = 1});
        if (is_empty && suite_grid_blocks() == 0)
            suite_hint("A sum of no term is 0: with k = 0 the result is still "
                       "written.");
    }
}

void gemm_test_edges(gemm_call *call, const int *sides, size_t count)
{
    for (size_t i = 0; i < count * count && !suite_failed(); i++) {
        const int m = sides[i / count], n = sides[i % count];
        const int k = sides[(i / count + i) % count];

        call_random(call, &(struct gemm){.m = m, .n = n, .k = k, .alpha = 1});
    }
}

/* Half precision is off by 2^-12 of these sums and more. */
void gemm_test_precision(gemm_call *call)
{
    static const int sizes[][3] = {{33, 40, 1}, {40, 33, 100}, {65, 67, 1021}};

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        struct gemm g = {.m = sizes[i][0], .n = sizes[i][1], .k = sizes[i][2],
                         .alpha = 1};

        gemm_create_arrays(&g);
        random_floats(g.a, gemm_elements(g.m, g.k), 0, 1);
        random_floats(g.b, gemm_elements(g.k, g.n), 0, 1);
        name_case(&g, ", from 0 to 1");
        call(&g);
    }
}

static void test_calls(gemm_call *call, const struct gemm *calls, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++) {
        struct gemm g = calls[i];

        g.alpha = 1;
        call_random(call, &g);
    }
}

void gemm_test_misaligned(gemm_call *call)
{
    static const struct gemm calls[] = {
        {.m = 64, .n = 64, .k = 64, .misalign_a = 4},
        {.m = 64, .n = 64, .k = 64, .misalign_b = 8},
        {.m = 64, .n = 64, .k = 64, .misalign_c = 12},
        {64, 68, 72, .misalign_a = 8, .misalign_b = 8, .misalign_c = 8},
        {132, 136, 20, .misalign_a = 4, .misalign_b = 4, .misalign_c = 4},
        {65, 67, 69, .misalign_a = 8, .misalign_b = 12, .misalign_c = 4},
        {.m = 130, .n = 132, .k = 21}, /* only A's rows are misaligned */
        {.m = 130, .n = 133, .k = 24}, /* rows of B and C */
        {.m = 129, .n = 1, .k = 28}};

    test_calls(call, calls, COUNT(calls));
}

void gemm_test_one_misaligned(gemm_call *call)
{
    static const struct gemm calls[] = {
        {.m = 12, .n = 40, .k = 20, .misalign_a = 4},
        {.m = 12, .n = 40, .k = 20, .misalign_b = 8},
        {.m = 12, .n = 40, .k = 20, .misalign_c = 12},
        {.m = 12, .n = 37, .k = 20},  /* rows of B and C */
        {.m = 12, .n = 40, .k = 19}}; /* rows of A */

    test_calls(call, calls, COUNT(calls));
}

/* Hold the product's bits against those of the first call, or set them. */
static void expect_bits(const struct gemm *g, float *first, bool is_first)
{
    const size_t bytes = gemm_elements(g->m, g->n) * sizeof(float);

    if (is_first)
        memcpy(first, g->c, bytes);
    expect_that(!memcmp(first, g->c, bytes),
                "the same inputs gave other bits before: the order of the "
                "additions is not deterministic");
}

/* A schedule changes the order within 32 blocks: of the smallest product, some
 * that add to one element, even if each element has its block for a slice of k.
 * Each call starts from the same C. */
static void test_deterministic(gemm_call *call, float beta)
{
    enum { SIZES = 3 };
    struct gemm g[SIZES] = {
        {.m = 150, .n = 170, .k = 130, .alpha = 1, .beta = beta},
        {.m = 20, .n = 24, .k = 2053, .alpha = 1, .beta = beta},
        {.m = 3, .n = 5, .k = 2053, .alpha = 1, .beta = beta}};
    float *first[SIZES], *before[SIZES];

    for (int s = 0; s < SIZES; s++) {
        const size_t elements = gemm_elements(g[s].m, g[s].n);

        first[s] = suite_floats(elements);
        before[s] = suite_floats(elements);
        gemm_create_random(&g[s]);
        memcpy(before[s], g[s].c, elements * sizeof(float));
    }
    for (int i = 0; i < 4 && !suite_failed(); i++) {
        if (i >= 2)
            suite_use_schedule((unsigned)i - 1);
        for (int s = 0; s < SIZES && !suite_failed(); s++) {
            name_case(&g[s], i ? ", called again" : "");
            memcpy(g[s].c, before[s],
                   gemm_elements(g[s].m, g[s].n) * sizeof(float));
            call(&g[s]);
            expect_bits(&g[s], first[s], i == 0);
        }
        call_random(call, &(struct gemm){.m = 40 + i, .n = 50, .k = 33,
                                         .alpha = 1});
    }
}

void gemm_test_deterministic(gemm_call *call)
{
    test_deterministic(call, 0);
}

void gemm_test_deterministic_beta(gemm_call *call)
{
    test_deterministic(call, -1);
}

void gemm_test_no_leak(gemm_call *call)
{
    static const int sizes[][3] = {{100, 90, 80}, {200, 130, 40}};

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        gemm_test_sizes(call, &sizes[i], 1);
        expect_no_leak();
    }
}

/* Compares some random rows element by element. */
static void expect_rows(const struct gemm *g)
{
    const size_t n = (size_t)g->n, k = (size_t)g->k;
    struct gemm sample = *g;

    sample.m = g->m < 32 ? g->m : 32;
    gemm_create_arrays(&sample);
    sample.b = g->b;
    for (int i = 0; i < sample.m; i++) {
        const size_t row = (size_t)random_int(0, g->m - 1);

        memcpy(sample.a + (size_t)i * k, g->a + row * k, k * sizeof(float));
        memcpy(sample.c + (size_t)i * n, g->c + row * n, n * sizeof(float));
    }
    gemm_reference(&sample);
    gemm_compare(&sample);
}

/* out = x v for a matrix x of floats, and the product of the absolute
 * values. */
static void multiply_matrix_vector(const float *x, size_t rows, size_t cols,
                                   const double *v, const double *size,
                                   double *out, double *scale)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) {
            out[i] += x[i * cols + j] * v[j];
            scale[i] += fabs(x[i * cols + j]) * size[j];
        }
}

/* Compares C v with A (B v) (Freivalds' check): an error in any element of a
 * row shows if it exceeds the bounds of the whole row. */
static void expect_projection(const struct gemm *g)
{
    const size_t m = (size_t)g->m, n = (size_t)g->n, k = (size_t)g->k;
    double *v = suite_doubles(n), *magnitudes = suite_doubles(n);
    double *bv = suite_doubles(k), *bv_scale = suite_doubles(k);
    double *want = suite_doubles(m), *scale = suite_doubles(m);
    double *got = suite_doubles(m), *unused = suite_doubles(m);

    for (size_t j = 0; j < n; j++) {
        v[j] = random_int(0, 1) ? 1 : -1;
        magnitudes[j] = 1;
    }
    multiply_matrix_vector(g->b, k, n, v, magnitudes, bv, bv_scale);
    multiply_matrix_vector(g->a, m, k, bv, bv_scale, want, scale);
    multiply_matrix_vector(g->c, m, n, v, magnitudes, got, unused);
    expect_elements(&(struct expected){
        .name = "C times a vector of +1 and -1", .got = got, .want = want,
        .type = FLOAT64, .size = {m}, .scale = scale,
        .steps = (g->k + 2) / 2.0 * 0x1p29 /* float, not double */});
}

void gemm_test_sampled(gemm_call *call, int m, int n, int k)
{
    struct gemm g = {.m = m, .n = n, .k = k, .alpha = 1};

    name_case(&g, "");
    gemm_create_random(&g);
    call(&g);
    if (suite_failed())
        return;
    expect_rows(&g);
    expect_projection(&g);
}

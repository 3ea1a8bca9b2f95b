/* SPDX-License-Identifier: MIT */
/* Matrix products in which an index of A or B is another one, and factors that
 * are exchanged, computed here in another way; with near misses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/suite/hypothesis.h"
#include "grader/suites/shared/gemm_mistakes.h"

enum { M = 40, N = 36, K = 50, TILE = 16 };

static mistakes *tried = gemm_mistakes;
static char text[DIAGNOSIS_SIZE];
static float a[M * K], b[K * N], c[M * N], old_c[M * N];
static double want[M * N], scale[M * N];
static struct gemm g = {.m = M, .n = N, .k = K, .a = a, .b = b, .c = c,
                        .want = want, .scale = scale};

static float next_uniform(void)
{
    static unsigned state = 12345;

    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

static void fill(float alpha, float beta)
{
    for (size_t i = 0; i < M * K; i++) a[i] = next_uniform() - 0.5f;
    for (size_t i = 0; i < K * N; i++) b[i] = next_uniform() - 0.5f;
    for (size_t i = 0; i < M * N; i++) c[i] = old_c[i] = next_uniform();
    g.alpha = alpha;
    g.beta = beta;
    gemm_reference(&g);
    for (size_t i = 0; i < M * N; i++) c[i] = (float)want[i];
}

static bool says(const char *words)
{
    const struct expected e = {
        .name = "C", .got = c, .want = want, .type = FLOAT32, .size = {M, N},
        .scale = scale, .steps = (K + 2) / 2.0, .mistakes = tried,
        .context = &g};
    struct facts launch = {.launches = 1, .grid = {3, 3, 1},
                           .block = {16, 16, 1}};
    struct comparison comparison;
    const struct evidence evidence = {&e, &comparison, NULL, NULL, 0, &launch,
                                      true};
    const char *hint;

    CU_ASSERT_TRUE_FATAL(compare(&e, &comparison));
    CU_ASSERT_TRUE(comparison.wrong > 0);
    diagnose_values(&evidence, text, &hint);
    free(comparison.wrong_mask);
    return strstr(text, words) != NULL;
}

/* Element e's sum with other indices: A[row][p] B[p][j] of these. */
typedef float other_term(size_t i, size_t j, size_t p);

static float a_by_row_of_tile(size_t i, size_t j, size_t p)
{
    const size_t column = p - p % TILE + i % TILE;

    return column < K ? a[i * K + column] * b[p * N + j] : 0;
}

static float b_next_row(size_t i, size_t j, size_t p)
{
    return p + 1 < K ? a[i * K + p] * b[(p + 1) * N + j] : 0;
}

static float b_tile_by_row(size_t i, size_t j, size_t p)
{
    const size_t column = i - i % TILE + j % TILE;

    return column < N ? a[i * K + p] * b[p * N + column] : 0;
}

static float b_moves_by_tile(size_t i, size_t j, size_t p)
{
    return a[i * K + p] * b[p / TILE * TILE + p % TILE * N + j];
}

static float a_one_tile_late(size_t i, size_t j, size_t p)
{
    return a[i * K + (p < TILE ? p : p - TILE)] * b[p * N + j];
}

static float b_first_row_of_next(size_t i, size_t j, size_t p)
{
    return a[i * K + p] * b[(p < TILE ? p : p - p % TILE) * N + j];
}

static void multiply(other_term *term)
{
    for (size_t e = 0; e < M * N; e++) {
        double sum = 0;

        for (size_t p = 0; p < K; p++)
            sum += (double)term(e / N, e % N, p);
        c[e] = (float)sum;
    }
}

static void other_indices(void)
{
    fill(1, 0);
    multiply(a_by_row_of_tile);
    CU_ASSERT_TRUE(says("A[i][p - p % 16 + i % 16] * B[p][j]: that column of A "
                        "should be p"));
    multiply(b_next_row);
    CU_ASSERT_TRUE(says("A[i][p] * B[p + 1][j]: that row of B should be p"));
    multiply(b_tile_by_row);
    CU_ASSERT_TRUE(says("B[p][i - i % 16 + j % 16]: that column of B should be "
                        "j"));
    multiply(a_one_tile_late);
    CU_ASSERT_TRUE(says("A[i][p - 16, from p = 16 on] * B[p][j]: that column"));
    multiply(b_first_row_of_next);
    CU_ASSERT_TRUE(says("B[p - p % 16, from p = 16 on][j]: that row of B"));
    multiply(b_moves_by_tile);
    CU_ASSERT_TRUE(says("each tile of B, of 16 rows, that many elements behind "
                        "the one before"));
    c[5] += 1; /* something else, too */
    CU_ASSERT_FALSE(says("each tile of B"));
}

/* x in fewer bits. */
static float rounded(float x, int bits)
{
    int exponent;
    const float fraction = frexpf(x, &exponent);

    return ldexpf(rintf(ldexpf(fraction, bits)), exponent - bits);
}

static void one_rounded_input(void)
{
    static const char *const words[] = {
        "product with A rounded to 8 bits of mantissa: bfloat16",
        "product with B rounded to 11 bits of mantissa: half or TF32"};

    for (int k = 0; k < 2; k++) {
        fill(1, 0);
        for (size_t e = 0; e < M * N; e++) {
            double sum = 0;

            for (size_t p = 0; p < K; p++) {
                const float x = a[e / N * K + p], y = b[p * N + e % N];

                sum += k ? (double)x * (double)rounded(y, 11)
                         : (double)rounded(x, 8) * (double)y;
            }
            c[e] = (float)sum;
        }
        CU_ASSERT_TRUE(says(words[k]));
    }
}

/* With alpha = 1 and beta = -1 that is the expected value with the other sign
 * only where nobody looks further. */
static void exchanged_factors(void)
{
    fill(1, -1);
    for (size_t e = 0; e < M * N; e++)
        c[e] = (float)-want[e];
    CU_ASSERT_TRUE(says("beta A B + alpha C: alpha and beta are exchanged"));
    fill(0, 2);
    memset(c, 0, sizeof c);
    CU_ASSERT_TRUE(says("0, not beta C: is C cleared"));
    c[7] = old_c[7];
    CU_ASSERT_FALSE(says("is C cleared"));
}

/* Rows of another row are told as rows. */
static void shifted_rows(void)
{
    fill(1, 0);
    for (size_t i = 16; i < 32; i++)
        for (size_t j = 0; j < N; j++)
            c[i * N + j] = (float)want[(i - 16) * N + j];
    CU_ASSERT_TRUE(says("the sum over p of A[i - 16][p] * B[p][j]"));
    tried = NULL;
    CU_ASSERT_TRUE(says("the value of the element 16 rows above it, in the "
                        "same column"));
    tried = gemm_mistakes;
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"another index", other_indices},
        {"one input of fewer bits", one_rounded_input},
        {"alpha and beta", exchanged_factors},
        {"another row", shifted_rows},
        CU_TEST_INFO_NULL};

    return run_tests("indices and factors of products", tests);
}

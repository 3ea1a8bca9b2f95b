/* SPDX-License-Identifier: MIT */
/* What is said of the terms of wrong sums: of a product that is computed here
 * with each mistake, and of functions that no terms explain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/suites/shared/gemm_response.h"

enum { M = 5, COLUMNS = 6, K = 17, C_SIZE = M * COLUMNS };

/** How often element `out` of C has A[row][k] B[k][column]. */
typedef int times(int out, int row, int k, int column);

/* A product that has each term so often. */
struct product {
    times *times;
    float start;             /* of each sum */
    bool is_squared;         /* no sum of terms */
    unsigned calls, refused; /* made; from this one on: none */
    bool is_right_again;     /* in the later calls */
    bool is_sparse;          /* of B, only row 3 is not 0 */
};

static float a[M * K], b[K * COLUMNS], c[C_SIZE];
static double want[C_SIZE], scale[C_SIZE];
static char text[DIAGNOSIS_SIZE];

static float next_uniform(void)
{
    static unsigned state = 12345;

    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

static int once(int out, int row, int k, int column)
{
    return k >= 0 && out / COLUMNS == row && out % COLUMNS == column;
}

static void multiply(const struct product *p, const float *x, const float *y,
                     double *result)
{
    for (int out = 0; out < C_SIZE; out++) {
        double sum = p->start;

        for (int i = 0; i < M * K * COLUMNS; i++) {
            const int row = i / K / COLUMNS, k = i / COLUMNS % K;

            sum += p->times(out, row, k, i % COLUMNS) * (double)x[row * K + k]
                   * y[k * COLUMNS + i % COLUMNS];
        }
        result[out] = (float)(p->is_squared ? sum * sum : sum);
    }
}

static bool call_product(void *context, const float *x, const float *y,
                         double *result)
{
    static const struct product right = {.times = once};
    struct product *p = context;

    if (p->refused && ++p->calls >= p->refused)
        return false;
    multiply(p->is_right_again ? &right : p, x, y, result);
    return true;
}

/* What is said of this product? */
static enum certainty explain(struct product *p)
{
    static const struct product right = {.times = once};
    const struct gemm g = {.m = M, .n = COLUMNS, .k = K, .alpha = 1, .a = a,
                           .b = b};
    const struct response response = gemm_response(&g);
    const struct expected e = {
        .name = "C", .got = c, .want = want, .type = FLOAT32, .scale = scale,
        .size = {M, COLUMNS}, .steps = K, .response = &response};
    struct comparison comparison;
    const struct evidence evidence = {.expected = &e,
                                      .comparison = &comparison};
    double result[C_SIZE];
    enum certainty certainty;

    for (int i = 0; i < M * K; i++)
        a[i] = 2 * next_uniform() - 1;
    for (int i = 0; i < K * COLUMNS; i++)
        b[i] = p->is_sparse && i / COLUMNS != 3 ? 0
                                                : 2 * next_uniform() - 1;
    multiply(&right, a, b, want);
    multiply(p, a, b, result);
    for (int i = 0; i < C_SIZE; i++) {
        c[i] = (float)result[i];
        scale[i] = K;
    }
    CU_ASSERT_TRUE_FATAL(compare(&e, &comparison));
    CU_ASSERT_TRUE_FATAL(comparison.wrong > 0);
    certainty = response_explain(&evidence, call_product, p, text);
    free(comparison.wrong_mask);
    return certainty;
}

static bool says(times *of, const char *words)
{
    return explain(&(struct product){.times = of}) == CERTAIN
           && strstr(text, words);
}

static int lacks_one(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k != 15);
}

static int lacks_last(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k < K - 1);
}

static int lacks_tail(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k < 14);
}

static int lacks_first(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k > 0);
}

static int lacks_fourths(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k % 4 != 3);
}

static int lacks_second_tile(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k < 4 || k > 7);
}

static int lacks_first_of_tiles(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k < 8 || k % 4 > 0);
}

static int has_tail_twice(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k < 16 ? 1 : 2);
}

/* In most rows more than one. */
static int lacks_third_and_more(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k != 3 && (row == 0 || k < 9));
}

/* Only in some rows. */
static int lacks_in_some(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k != 8 || row < 2);
}

static void patterns(void)
{
    CU_ASSERT_TRUE(says(lacks_one, "each wrong element lacks the 16th term "
                                   "(k = 15)"));
    CU_ASSERT_TRUE(says(lacks_last, "lacks its last term (k = 16)"));
    CU_ASSERT_TRUE(says(lacks_tail, "lacks its last 3 terms (from k = 14 on)"));
    CU_ASSERT_TRUE(says(lacks_last, "incomplete tile or vector begins"));
    CU_ASSERT_FALSE(says(lacks_tail, "incomplete"));
    CU_ASSERT_TRUE(says(lacks_first, "lacks its first term (k = 0)"));
    CU_ASSERT_TRUE(says(lacks_fourths, "lacks every 4th term (k = 3, 7, "
                                       "...)"));
    CU_ASSERT_TRUE(says(lacks_second_tile, "lacks the terms from the 5th to "
                                           "the 8th (from k = 4)"));
    CU_ASSERT_TRUE(says(lacks_first_of_tiles, "lacks every 4th term (k = 8, "
                                              "12, ...)"));
    CU_ASSERT_TRUE(says(has_tail_twice, "has its last term (k = 16) twice"));
    CU_ASSERT_EQUAL(explain(&(struct product){.times = lacks_third_and_more,
                                              .is_sparse = true}), VAGUE);
    CU_ASSERT_TRUE(says(lacks_in_some, "lacks the 9th term (k = 8)"));
}

/* A sum that is not reset down its column, or to the right. */
static int keeps_column(int out, int row, int k, int column)
{
    return k >= 0 && out % COLUMNS == column && row <= out / COLUMNS;
}

static int adds_left(int out, int row, int k, int column)
{
    return once(out, row, k, column)
           + (out % COLUMNS > 0 && once(out - 1, row, k, column));
}

static int moved(int out, int row, int k, int column)
{
    return out + 1 < C_SIZE ? once(out + 1, row, k, column)
                            : once(out, row, k, column);
}

/* Where it is the one before for some, and the next for others. */
static int exchanged(int out, int row, int k, int column)
{
    return once(out ^ 1, row, k, column);
}

static void other_sums(void)
{
    CU_ASSERT_TRUE(says(keeps_column, "too: that of C[0][0] in C[1][0]: is a "
                                      "sum not set to 0 again"));
    CU_ASSERT_TRUE(says(adds_left, "too: that of C[0][0] in C[0][1]"));
    CU_ASSERT_TRUE(says(moved, "belongs to another: that of C[0][1] in "
                               "C[0][0]"));
    CU_ASSERT_EQUAL(explain(&(struct product){.times = exchanged}), VAGUE);
    CU_ASSERT_STRING_EQUAL(text, "C[0][0] is the sum that belongs to C[0][1]");
}

static void start(void)
{
    CU_ASSERT_EQUAL(explain(&(struct product){.times = once, .start = 3}),
                    CERTAIN);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "has 3 too much, also where all"));
}

/* Terms that no sentence describes: those of one element are told. */
static int lacks_some(int out, int row, int k, int column)
{
    return once(out, row, k, column) * (k != (out * out + 3) % K);
}

static int takes_next_row(int out, int row, int k, int column)
{
    return k == 4 && out / COLUMNS + 1 < M
               ? once(out + COLUMNS, row, k, column)
               : once(out, row, k, column);
}

static void examples(void)
{
    CU_ASSERT_EQUAL(explain(&(struct product){.times = lacks_some}), VAGUE);
    CU_ASSERT_STRING_EQUAL(text, "C[0][0] lacks 1 of its 17 terms: A[0][3] "
                                 "B[3][0]");
    CU_ASSERT_EQUAL(explain(&(struct product){.times = takes_next_row}),
                    VAGUE);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "takes another element of A in 1 of "
                                        "its 17 terms: A[1][4] in place of "
                                        "A[0][4], times B[4][0]"));
}

/* Both outputs are the first element of the input; the second one is lost. */
static size_t only_one(size_t out)
{
    return out < 2;
}

static bool call_first(void *context, const float *x, const float *y,
                       double *result)
{
    (void)context;
    (void)y;
    result[0] = x[0];
    result[1] = 0;
    return true;
}

/* Where a sum has one term, "all its terms" tells less than that one. */
static void single_term(void)
{
    const float in[2] = {3, 4}, results[2] = {3, 0};
    const double values[2] = {3, 3};
    const struct response_prefix prefix = {in, 2, only_one};
    const struct response response = response_of_prefixes(&prefix);
    const struct expected e = {.name = "out", .got = results, .want = values,
                               .type = FLOAT32, .size = {2}, .steps = 1,
                               .response = &response};
    struct comparison comparison;
    const struct evidence evidence = {.expected = &e,
                                      .comparison = &comparison};

    CU_ASSERT_TRUE_FATAL(compare(&e, &comparison));
    CU_ASSERT_EQUAL(response_explain(&evidence, call_first, NULL, text),
                    VAGUE);
    CU_ASSERT_STRING_EQUAL(text, "out[1] lacks its only term: in[0]");
    free(comparison.wrong_mask);
}

/* No sums, sums that are right when the function is called again, and calls
 * that fail at some time. */
static void nothing_to_say(void)
{
    struct product p = {.times = once, .is_squared = true};

    CU_ASSERT_EQUAL(explain(&p), UNKNOWN);
    p = (struct product){.times = lacks_one, .is_right_again = true};
    CU_ASSERT_EQUAL(explain(&p), UNKNOWN);
    p = (struct product){.times = once, .start = 0x1p80}; /* hides all terms */
    CU_ASSERT_EQUAL(explain(&p), UNKNOWN);
    p = (struct product){.times = once, .start = INFINITY};
    CU_ASSERT_EQUAL(explain(&p), UNKNOWN);
    for (unsigned calls = 1; calls < 6; calls++) {
        p = (struct product){.times = lacks_one, .refused = calls};
        CU_ASSERT_EQUAL(explain(&p), UNKNOWN);
        CU_ASSERT_EQUAL(*text, 0);
    }
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"terms that are missing, or there twice", patterns},
        {"sums of other elements", other_sums},
        {"what a sum starts with", start},
        {"the terms of one element", examples},
        {"a sum of one term", single_term},
        {"no sums", nothing_to_say},
        CU_TEST_INFO_NULL};

    return run_tests("terms of wrong sums", tests);
}

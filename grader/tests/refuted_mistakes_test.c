/* SPDX-License-Identifier: MIT */
/* Mistakes that correct elements refute, and the order of the registers of a
 * fragment, of which a small matrix shows zeros only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "compare_fixture.h"
#include "grader/suites/09_tensor_gemm/fragment_mistakes.h"

static char said[DIAGNOSIS_SIZE]; /* of the latest says_of() */
static const unsigned char *poison; /* of its output, or NULL */

/* Is this part of what is said? */
static bool says_of(const struct expected *e, const char *part)
{
    struct comparison comparison;
    const struct evidence evidence = {e, &comparison, poison, NULL, 0, &launch,
                                      false};

    CU_ASSERT_TRUE(compare(e, &comparison));
    diagnose_values(&evidence, said, &said_hint);
    free(comparison.wrong_mask);
    return strstr(said, part) != NULL;
}

/* The squares, of which every other one may be right. */
static void whole_squares(struct hypotheses *h, const void *context)
{
    double *values = hypothesis_values(h);

    for (int i = 0; i < N; i++)
        values[i] = i * i;
    h->is_whole = *(const bool *)context;
    hypothesis_try(h, NULL, "the square");
    h->is_whole = false;
}

static void correct_elements_refute(void)
{
    bool is_whole = false;
    struct expected e = vector();

    e.mistakes = whole_squares;
    e.context = &is_whole;
    for (int i = 0; i < N; i += 2)
        got[i] = (float)(i * i);
    CU_ASSERT(says_of(&e, "the square"));
    is_whole = true;
    CU_ASSERT(!says_of(&e, "the square"));
    for (int i = 1; i < N; i += 2)
        got[i] = (float)(i * i);
    CU_ASSERT(says_of(&e, "the square"));
}

/* A few elements that have another's value are in no order. */
static void reversed_order(void)
{
    for (size_t count = 2; count <= 8; count += 6) {
        struct expected e = vector();

        e.size[0] = count;
        for (size_t i = 0; i < count; i++)
            got[i] = (float)want[count - 1 - i];
        CU_ASSERT(says_of(&e, "reversed") == (count > 2));
    }
}

/* The squares, of which every other one is not stored, or 0. */
static void half_of_the_squares(struct hypotheses *h, const void *context)
{
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < N; i++)
        values[i] = i % 2 == 0               ? (double)(i * i)
                    : *(const bool *)context ? hypothesis_unstored(h, i)
                                             : hypothesis_zero(h, i);
    hypothesis_try(h, NULL, "the square");
}

static void stores_refute(void)
{
    static float before[N];
    bool is_unstored = true;
    struct expected e = vector();

    e.mistakes = half_of_the_squares;
    e.context = &is_unstored;
    for (int i = 0; i < N; i++) {
        before[i] = -1e9f - 1000 * (float)i;
        got[i] = i % 2 ? before[i] : (float)(i * i);
    }
    poison = (const unsigned char *)before;
    CU_ASSERT(says_of(&e, "the square"));
    got[7] = 1e-6f; /* written, though too small to differ from 0 */
    CU_ASSERT(!says_of(&e, "the square"));
    is_unstored = false;
    for (int i = 1; i < N; i += 2)
        got[i] = 0;
    CU_ASSERT(says_of(&e, "the square"));
    e.steps = 1;
    got[7] = 1e-30f;
    CU_ASSERT(!says_of(&e, "the square"));
    poison = NULL;
    CU_ASSERT(says_of(&e, "the square"));
}

/* --- fragments ------------------------------------------------------------ */

enum { M = 12, COLUMNS = 2, K = 3 };

static float a[M * K], b[K * COLUMNS];
static double scale[M * COLUMNS];
static struct gemm product = {.k = K, .alpha = 1, .a = a, .b = b};

static void all_mistakes(struct hypotheses *h, const void *context)
{
    fragment_mistakes(h, context);
    if (!h->fits)
        gemm_mistakes(h, context);
}

/* A right product with that many rows of two. */
static struct expected create_product(int rows)
{
    struct expected e = vector();

    e.size[0] = (size_t)rows;
    e.size[1] = COLUMNS;
    e.scale = scale;
    e.steps = K;
    e.mistakes = all_mistakes;
    e.context = &product;
    product.m = rows;
    product.n = COLUMNS;
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(i * i % 37 + 1) / 7;
    for (int i = 0; i < K * COLUMNS; i++)
        b[i] = (float)(i * i % 11 + 1) / 3;
    for (int i = 0; i < rows * COLUMNS; i++) {
        want[i] = 0;
        for (int p = 0; p < K; p++)
            want[i] += (double)a[i / COLUMNS * K + p]
                       * b[p * COLUMNS + i % COLUMNS];
        scale[i] = want[i];
        got[i] = (float)want[i];
    }
    return e;
}

/* Store each result where the register `order` of its lane belongs. */
static void store_in_order(int rows, const int order[4])
{
    for (int i = 0; i < rows * COLUMNS; i++) {
        const int row = i / COLUMNS;
        const int from = order[row / 8 * 2 + i % COLUMNS];
        const int at = row % 8 + from / 2 * 8;

        got[i] = at < rows ? (float)want[at * COLUMNS + from % 2] : 0;
    }
}

static void orders_of_results(void)
{
    static const int rows[] = {2, 3, 0, 1}, middle[] = {0, 2, 1, 3};
    struct expected e = create_product(M);

    store_in_order(M, rows);
    CU_ASSERT(says_of(&e, "0, 1, 2, 3 belong, 2, 3, 0, 1 are stored"));
    CU_ASSERT(strstr(said_hint, "Lane 4 g + t") != NULL);
    store_in_order(M, middle);
    CU_ASSERT(says_of(&e, "0, 1, 2, 3 belong, 0, 2, 1, 3 are stored"));
    got[3] += 1; /* one deviates */
    CU_ASSERT(!says_of(&e, "are stored"));
}

/* In two rows the results of row 8 are 0: the sums beside them are right, so
 * the loop over the terms runs; where none is right, it may not. */
static void no_term(void)
{
    static const int middle[] = {0, 2, 1, 3};
    struct expected e = create_product(2);

    store_in_order(2, middle);
    CU_ASSERT(got[1] == 0 && got[0] != 0);
    CU_ASSERT(!says_of(&e, "none of the"));
    got[0] = got[1] = got[2] = got[3] = 0;
    CU_ASSERT(says_of(&e, "none of the 3 terms"));
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"correct elements refute a mistake", correct_elements_refute},
        {"a reversed order", reversed_order},
        {"stores refute a mistake", stores_refute},
        {"orders of a fragment's results", orders_of_results},
        {"no term", no_term},
        CU_TEST_INFO_NULL};

    return run_tests("refuted mistakes", tests);
}

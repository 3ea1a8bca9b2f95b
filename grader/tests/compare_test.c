/* SPDX-License-Identifier: MIT */
/* Comparison and diagnosis: each pattern, and a near miss. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/suite/diagnose.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"

enum { N = 24 };

/* A correct output, to be corrupted. */
static float got[N];
static double want[N];
static float input[N];
static struct facts launch;

static struct expected vector(void)
{
    launch = (struct facts){.launches = 1, .grid = {3, 1, 1},
                            .block = {8, 1, 1}};
    for (int i = 0; i < N; i++) {
        want[i] = i * i + 0.5;
        got[i] = (float)want[i];
        input[i] = (float)(100 - i);
    }
    return (struct expected){.name = "c", .got = got, .want = want,
                             .type = FLOAT32, .size = {N}, .input = input};
}

/* Both texts must contain the fragments; "" requires an empty text, NULL
 * allows any. */
static void says(const struct expected *expected, const char *where,
                 const char *what)
{
    static const double previous[N] = {7, 8, 9};
    char text[DIAGNOSIS_SIZE];
    struct comparison comparison;
    struct evidence evidence = {expected, &comparison, NULL, previous, 3,
                                &launch};

    CU_ASSERT_TRUE(compare(expected, &comparison));
    diagnose_location(&evidence, text);
    CU_ASSERT_TRUE(!where || (*where ? strstr(text, where) != NULL : !*text));
    diagnose_values(&evidence, text);
    CU_ASSERT_TRUE(*what ? strstr(text, what) != NULL : !*text);
    free(comparison.wrong_mask);
}

static size_t wrong(const struct expected *expected)
{
    struct comparison comparison;

    CU_ASSERT_TRUE(compare(expected, &comparison));
    free(comparison.wrong_mask);
    return comparison.wrong;
}

static void tolerance(void)
{
    struct expected e = vector();

    CU_ASSERT_EQUAL(wrong(&e), 0);
    got[5] = nextafterf(got[5], 1e9f);
    CU_ASSERT_EQUAL(wrong(&e), 1); /* exact */
    e.steps = 1;
    CU_ASSERT_EQUAL(wrong(&e), 0); /* one rounding */
    got[5] = (float)(want[5] * (1 + 0x1p-11));
    CU_ASSERT_EQUAL(wrong(&e), 1); /* half precision */
    e.steps = 1000;
    CU_ASSERT_EQUAL(wrong(&e), 1);
    got[5] = (float)(want[5] * (1 - 0x1p-11)); /* below */
    CU_ASSERT_EQUAL(wrong(&e), 1);
}

static void tolerance_of_doubles(void)
{
    double value = 1 + 0x1p-52, one = 1;
    struct expected e = {.name = "c", .got = &value, .want = &one,
                         .type = FLOAT64, .size = {1}, .steps = 1};

    CU_ASSERT_EQUAL(wrong(&e), 0);
    value = 1 + 0x1p-30; /* more than a float's rounding */
    CU_ASSERT_EQUAL(wrong(&e), 1);
}

static void nan_and_infinity(void)
{
    struct expected e = vector();

    e.steps = 100;
    got[1] = NAN;
    got[2] = INFINITY;
    CU_ASSERT_EQUAL(wrong(&e), 2);
    want[1] = NAN;
    want[2] = INFINITY;
    CU_ASSERT_EQUAL(wrong(&e), 0);
    got[2] = -INFINITY;
    got[1] = 0;
    CU_ASSERT_EQUAL(wrong(&e), 2);
}

static void names(void)
{
    struct expected e = vector();
    char text[64];

    element_name(&e, 17, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "c[17]");
    e.size[0] = 4;
    e.size[1] = 6;
    element_name(&e, 17, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "c[2][5]");
    e.size[0] = e.size[1] = 0;
    CU_ASSERT_EQUAL(expected_count(&e), 0);
}

static void corrupt(size_t from, size_t to, size_t step, float value)
{
    for (size_t i = from; i < to; i += step)
        got[i] = value;
}

static void where(void)
{
    struct expected e = vector();

    corrupt(16, N, 1, -3);
    says(&e, "all in the last block", "");
    e = vector();
    corrupt(15, N, 1, -3);
    says(&e, "all from element 15 on", "");
    e = vector();
    got[N - 1] = -3;
    says(&e, "the very last one", "");
    e = vector();
    corrupt(1, N, 2, -3);
    says(&e, "every second one from 1 on", "");
    e = vector();
    corrupt(1, N, 2, -3);
    got[4] = -3;
    says(&e, "", "");
    e = vector();
    corrupt(0, N, 1, -3);
    says(&e, "all of them", "");
}

static void where_in_rows(void)
{
    struct expected e = vector();

    e.size[0] = 4;
    e.size[1] = 6;
    launch.block[0] = 0;
    corrupt(18, N, 1, -3);
    says(&e, "last row", "");
    e = vector();
    e.size[0] = 4;
    e.size[1] = 6;
    corrupt(5, N, 6, -3);
    says(&e, "last column", "");
    corrupt(4, N, 6, -3);
    says(&e, "", "");
}

static void what(void)
{
    struct expected e = vector();

    corrupt(3, 7, 1, 0);
    says(&e, NULL, "zero");
    got[4] = 1;
    says(&e, NULL, "");
    e = vector();
    memcpy(got, input, sizeof got);
    says(&e, "all of them", "equal the input");
    e = vector();
    for (int i = 0; i < 3; i++)
        got[i] = (float)(7 + i);
    says(&e, "the first 3", "previous call");
    e = vector();
    for (int i = 0; i + 1 < N; i++)
        got[i] = (float)want[i + 1];
    says(&e, NULL, "next element");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] *= 2;
    says(&e, "all of them", "2 times");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] = (float)(want[i] * (1 + (i % 2 ? 0x1p-10 : -0x1p-10)));
    says(&e, "all of them", "lower precision");
    e = vector();
    want[2] = -INFINITY;
    got[2] = -3.4e38f;
    says(&e, NULL, "FLT_MAX");
}

/* Off by one: bytes are rounded, whole numbers counted. */
static void what_of_integers(void)
{
    static const double due[3] = {7, 8, 9};
    const int32_t counts[3] = {7, 8, 10};
    const uint8_t bytes[3] = {7, 8, 10};

    says(&(struct expected){.name = "n", .got = counts, .want = due,
                            .type = INT32, .size = {3}}, NULL, "counted twice");
    says(&(struct expected){.name = "n", .got = bytes, .want = due,
                            .type = UINT8, .size = {3}}, NULL, "rounded");
}

static void what_of_memory(void)
{
    struct expected e = vector();

    memset(got + 16, 0xCB, 8 * sizeof *got);
    says(&e, "last block", "never written");
    launch.launches = 0;
    says(&e, NULL, "no kernel was launched");
    e = vector();
    launch.grid[0] = 2;
    memset(got + 16, 0xCB, 8 * sizeof *got);
    says(&e, NULL, "round the number of blocks up");
    memset(launch.grid, 0, sizeof launch.grid); /* not counted: all wrong */
    corrupt(0, N, 1, -3);
    says(&e, "all of them", "");
    e = vector();
    got[3] = NAN;
    says(&e, NULL, "NaN");
}

static void transposed(void)
{
    struct expected e = vector();

    e.size[0] = 4;
    e.size[1] = 6;
    for (int i = 0; i < N; i++)
        got[i] = (float)want[i % 4 * 6 + i / 4];
    says(&e, NULL, "exchanged");
}

static void threads(void)
{
    struct expected e = vector();
    struct comparison c = {.count = N};
    struct evidence evidence = {&e, &c, NULL, NULL, 0, &launch};
    char text[DIAGNOSIS_SIZE];

    diagnose_thread(&evidence, 17, text);
    CU_ASSERT_STRING_EQUAL(text, "block 2, thread 1 of 8");
    launch.grid[0] = 2; /* fewer threads than elements */
    diagnose_thread(&evidence, 17, text);
    CU_ASSERT_STRING_EQUAL(text, "");
    launch.grid[0] = 3;
    e.size[0] = 4;
    e.size[1] = 6;
    memcpy(launch.grid, (uint32_t[]){3, 2, 1}, sizeof launch.grid);
    memcpy(launch.block, (uint32_t[]){2, 2, 1}, sizeof launch.block);
    diagnose_thread(&evidence, 17, text);
    CU_ASSERT_STRING_EQUAL(text, "block (2, 1), thread (1, 0)");
}

int main(void)
{
    CU_TestInfo tests[] = {{"tolerance", tolerance},
                           {"tolerance of doubles", tolerance_of_doubles},
                           {"NaN and infinity", nan_and_infinity},
                           {"names of elements", names},
                           {"where, in a vector", where},
                           {"where, in rows", where_in_rows},
                           {"what is in them", what},
                           {"what is in integers", what_of_integers},
                           {"memory that was not written", what_of_memory},
                           {"rows and columns exchanged", transposed},
                           {"block and thread", threads},
                           CU_TEST_INFO_NULL};

    return run_tests("compare and diagnose", tests);
}

/* SPDX-License-Identifier: MIT */
/* Comparison and diagnosis: each pattern, and a near miss. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/suite/hypothesis.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"

enum { N = 24 };

/* A correct output, to be corrupted. */
static float got[N];
static double want[N];
static float input[N];
static struct facts launch;
static bool is_on_device;
static const char *said_hint; /* of the last says() */

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
                                &launch, is_on_device};

    CU_ASSERT_TRUE(compare(expected, &comparison));
    diagnose_location(&evidence, text);
    CU_ASSERT_TRUE(!where || (*where ? strstr(text, where) != NULL : !*text));
    diagnose_values(&evidence, text, &said_hint);
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

    corrupt(17, N, 1, -3);
    says(&e, "all in the last block", "");
    e = vector();
    corrupt(15, N, 1, -3);
    says(&e, "all from element 15 on", "");
    e = vector();
    e.size[0] = N - 1; /* 23 = 5 * 4 + 3 */
    corrupt(20, N - 1, 1, -3);
    says(&e, "after the last whole group of 4", "");
    e.size[0] = N - 3; /* 21 = 10 * 2 + 1 = 5 * 4 + 1 */
    says(&e, "the very last one", "");
    e = vector();
    got[N - 1] = -3;
    says(&e, "the very last one", "");
    e = vector();
    corrupt(1, N, 2, -3);
    says(&e, "every 2nd one from 1 on", "");
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
    says(&e, "all of them", "the input, unchanged");
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
        got[i] = (float)(want[i] * (1 + (i % 2 ? 0x1.1p-10 : -0x1p-10)));
    says(&e, "all of them", "lower precision");
    e = vector();
    want[2] = -INFINITY;
    got[2] = -3.4e38f;
    says(&e, NULL, "FLT_MAX");
    got[2] = -3;
    says(&e, NULL, "");
}

/* Off by one: bytes are rounded, whole numbers counted. */
static void what_of_integers(void)
{
    static const double due[5] = {7, 8, 9, 10, 31}, few[5] = {0, 1, 0, 1, 0};
    const int32_t counts[3] = {7, 8, 10};
    const uint8_t bytes[5] = {7, 9, 10, 9, 30}, flipped[5] = {1, 0, 1, 0, 1};

    says(&(struct expected){.name = "n", .got = counts, .want = due,
                            .type = INT32, .size = {3}}, NULL, "counted twice");
    says(&(struct expected){.name = "n", .got = bytes, .want = due,
                            .type = UINT8, .size = {5}}, NULL, "rounded");
    says(&(struct expected){.name = "n", .got = bytes, .want = due,
                            .type = UINT8, .size = {4}}, NULL, "");
    says(&(struct expected){.name = "n", .got = flipped, .want = few,
                            .type = UINT8, .size = {5}}, "all of them", "");
}

/* One channel of an image, and the same elements of a matrix. */
static void where_in_channels(void)
{
    uint8_t pixels[2 * 3 * 4] = {0};
    double due[2 * 3 * 4] = {0};
    struct expected e = {.name = "out", .got = pixels, .want = due,
                         .type = UINT8, .size = {2, 3, 4}};

    for (int i = 0; i < 24; i++)
        due[i] = i % 4 == 3 ? 40 + i : 0;
    says(&e, "all in channel 3", "all zero");
    pixels[0] = 1;
    says(&e, NULL, "");
}

/* A float that was shared memory which no thread wrote. */
static void fill_float(float *to, uint16_t pattern)
{
    const uint16_t halves[2] = {pattern, pattern};

    memcpy(to, halves, sizeof halves);
}

/* Bits that an addition of 0, or a product with 1, has changed. */
static void what_of_bits(void)
{
    uint32_t bits[N];
    struct expected e = {.name = "out", .got = bits, .want = want,
                         .type = BITS32, .size = {N}};

    for (int i = 0; i < N; i++) {
        want[i] = i % 3 ? 0x7f800001 + i : 0x1p31;
        bits[i] = (uint32_t)want[i] | (i % 3 ? 1 << 22 : 0);
    }
    says(&e, NULL, "such as x * 1: NaNs became quiet");
    for (int i = 0; i < N; i += 3)
        bits[i] = 0;
    says(&e, NULL, "such as x + 0: NaNs became quiet, or -0 became 0");
    for (int i = 0; i < N; i++)
        bits[i] = (uint32_t)want[i] + 5;
    says(&e, NULL, "");
}

static void what_of_memory(void)
{
    struct expected e = vector();

    memset(got + 17, 0xCB, 7 * sizeof *got);
    says(&e, "last block", "never written");
    is_on_device = true;
    says(&e, "last block", "read from memory that nobody wrote");
    is_on_device = false;
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
    launch.counted = 1;
    memset(got, 0xCB, sizeof got);
    says(&e, NULL, "nothing was copied from the device");
    launch.d2h_bytes = 1;
    says(&e, NULL, "never written, though");
    e = vector();
    got[3] = NAN;
    says(&e, NULL, "NaN");
    e = vector();
    for (int i = 4; i < 8; i++)
        fill_float(&got[i], 0x7ff5);
    says(&e, NULL, "read from shared memory that nobody wrote");
    got[9] = -3;
    says(&e, NULL, "4 of them were read from shared memory");
}

/* Two mistakes: the square of the index, and that without the last four. */
static void squares(struct hypotheses *h, const void *context)
{
    double *values = hypothesis_values(h);

    for (int i = 0; i < N; i++)
        values[i] = i * i;
    hypothesis_try(h, "Do not forget the half.", "%s", (const char *)context);
    values = hypothesis_values(h);
    for (int i = 0; i < N - 4; i++)
        values[i] = i * i;
    hypothesis_try(h, "Nor here.", "a square, but the last %d", 4);
}

static void mistakes_are_named(void)
{
    struct expected e = vector();

    e.mistakes = squares;
    e.context = "the square";
    for (int i = 0; i < N; i++)
        got[i] = (float)(i * i);
    says(&e, NULL, "each wrong element is the square");
    CU_ASSERT_STRING_EQUAL(said_hint, "Do not forget the half.");
    got[7] += 1; /* one deviates */
    says(&e, NULL, "");
    e = vector();
    e.mistakes = squares;
    e.context = "the square";
    for (int i = 0; i < N - 4; i++)
        got[i] = (float)(i * i);
    says(&e, NULL, "a square, but the last 4"); /* it fits the others, too */
    e = vector();
    e.mistakes = squares;
    e.context = "the square";
    got[3] = 9;
    says(&e, NULL, "it is the square, or a square, but");
    CU_ASSERT_PTR_NULL(said_hint);
    e.steps = 0x1p20; /* any number near it agrees: that may be chance */
    e.scale = want;
    got[3] = 12;
    want[3] = 8.5;
    says(&e, NULL, "");
}

/* Few bytes that agree may be chance, many are not; 0 is more likely than
 * other numbers. */
static void chance(void)
{
    uint8_t bytes[N], previous[N];
    double due[N], before[N] = {0};
    struct comparison comparison;
    struct expected e = {.name = "b", .got = bytes, .want = due, .type = UINT8,
                         .size = {N}, .input = previous};
    struct evidence evidence = {&e, &comparison, NULL, before, N, NULL, false};
    char text[DIAGNOSIS_SIZE];
    const char *hint;

    for (int changed = 2; changed <= N; changed += N - 2) {
        for (int i = 0; i < N; i++) {
            due[i] = 7 * i;
            previous[i] = (uint8_t)(7 * i + 1 + i % 3);
            bytes[i] = i < changed ? previous[i] : (uint8_t)due[i];
        }
        CU_ASSERT_TRUE(compare(&e, &comparison));
        CU_ASSERT_EQUAL(diagnose_values(&evidence, text, &hint),
                        changed == N ? CERTAIN : UNKNOWN);
        free(comparison.wrong_mask);
    }
    for (int i = 1; i <= 8; i++)
        bytes[i] = 0;
    for (int i = 9; i < N; i++)
        bytes[i] = (uint8_t)due[i];
    bytes[0] = 0;
    CU_ASSERT_TRUE(compare(&e, &comparison));
    CU_ASSERT_EQUAL(diagnose_values(&evidence, text, &hint), VAGUE);
    CU_ASSERT_STRING_EQUAL(text, "they are all zero");
    free(comparison.wrong_mask);
}

/* Signs, orders, sums onto old content; a factor only if it holds for all. */
static void common_mistakes(void)
{
    struct expected e = vector();
    int exponent;

    for (int i = 0; i < N; i++)
        got[i] = -got[i];
    says(&e, NULL, "with the other sign");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] = (float)want[i ^ 2];
    says(&e, NULL, "neighbor at a distance of 2");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] = (float)want[i / 4 * 4 + (i % 4 == 0 ? 3 : i % 4 - 1)];
    says(&e, NULL, "in the order 3, 0, 1, 2");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] *= 1.75f;
    says(&e, NULL, "1.75 times");
    got[9] += 1;
    says(&e, NULL, "");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] = (float)(want[i] + (i < 3 ? 7 + i : 0));
    says(&e, "the first 3", "plus the previous call's result");
    e = vector();
    for (int i = 0; i < N; i++) {
        want[i] = 1 + i * 0x1.234567p-3;
        got[i] = frexpf((float)want[i], &exponent);
        got[i] = ldexpf(rintf(ldexpf(got[i], 11)), exponent - 11);
    }
    says(&e, NULL, "11 bits of mantissa");
    got[2] = nextafterf(got[2], 9);
    says(&e, NULL, "lower precision");
}

/* Numbers are printed as what they are. */
static void formats(void)
{
    char text[40];

    element_format(UINT32, 16800001, 6, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "16800001");
    element_format(UINT32, 3419130827u, 6, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "3419130827");
    element_format(BITS32, 0x7f800001, 6, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "0x7f800001");
    element_format(FLOAT32, -NAN, 6, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "nan");
    CU_ASSERT_EQUAL(element_value(&(uint32_t){3419130827u}, UINT32, 0),
                    3419130827.0);
    CU_ASSERT_EQUAL(element_value(&(uint32_t){0xffc00001}, BITS32, 0),
                    (double)0xffc00001);
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
    struct evidence evidence = {&e, &c, NULL, NULL, 0, &launch, false};
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
                           {"where in channels", where_in_channels},
                           {"bits after arithmetic", what_of_bits},
                           {"memory that was not written", what_of_memory},
                           {"rows and columns exchanged", transposed},
                           {"mistakes are named", mistakes_are_named},
                           {"no chance", chance},
                           {"common mistakes", common_mistakes},
                           {"formats of numbers", formats},
                           {"block and thread", threads},
                           CU_TEST_INFO_NULL};

    return run_tests("compare and diagnose", tests);
}

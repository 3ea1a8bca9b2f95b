/* SPDX-License-Identifier: MIT */
/* Mistakes that explain all wrong elements, and chance, which explains a
 * few. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "compare_fixture.h"

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

static struct expected vector_with(mistakes *of_suite, const void *context)
{
    struct expected e = vector();

    e.mistakes = of_suite;
    e.context = context;
    return e;
}

static char diagnosis[DIAGNOSIS_SIZE]; /* of the latest certainty_of() */

/* Is the mistake named? */
static enum certainty certainty_of(const struct expected *e)
{
    struct comparison comparison;
    const struct evidence evidence = {e, &comparison, NULL, NULL, 0, &launch,
                                      false};
    const char *hint;
    enum certainty certainty;

    CU_ASSERT_TRUE(compare(e, &comparison));
    certainty = diagnose_values(&evidence, diagnosis, &hint);
    free(comparison.wrong_mask);
    return certainty;
}

/* One, another, both; not those that only most elements agree with. */
static void mistakes_are_named(void)
{
    struct expected e = vector_with(squares, "the square");

    for (int i = 0; i < N; i++)
        got[i] = (float)(i * i);
    says(&e, NULL, "each wrong element is the square");
    CU_ASSERT_STRING_EQUAL(said_hint, "Do not forget the half.");
    got[7] += 1.25f; /* one deviates */
    says(&e, NULL, "");
    e = vector_with(squares, "the square");
    for (int i = 0; i < N - 4; i++)
        got[i] = (float)(i * i);
    says(&e, NULL, "a square, but the last 4"); /* it fits the others, too */
    CU_ASSERT_EQUAL(certainty_of(&e), CERTAIN);
    for (int i = 0; i < N / 2; i++)
        got[i] = (float)want[i]; /* where the mistake would show, too */
    CU_ASSERT_EQUAL(certainty_of(&e), VAGUE);
    e = vector_with(squares, "the square");
    got[3] = 9;
    CU_ASSERT_EQUAL(certainty_of(&e), VAGUE); /* others are no squares */
    says(&e, NULL, "it is the square, or a square, but");
    CU_ASSERT_PTR_NULL(said_hint);
    e.steps = 0x1p20; /* any number near it agrees: that may be chance */
    e.scale = want;
    got[3] = 12;
    want[3] = 8.5;
    says(&e, NULL, "");
}

/* The squares twice, then what fits the correct elements, too. */
static void squares_twice(struct hypotheses *h, const void *context)
{
    double *values = hypothesis_values(h);

    for (int i = 0; i < N; i++)
        values[i] = i * i;
    hypothesis_try(h, NULL, "another square");
    squares(h, context);
}

/* Mistakes that a better one replaces are not named beside it. */
static void replaced_mistakes(void)
{
    struct expected e = vector_with(squares_twice, "the square");

    for (int i = 0; i < N - 4; i++)
        got[i] = (float)(i * i);
    CU_ASSERT_EQUAL(certainty_of(&e), CERTAIN);
    CU_ASSERT_STRING_EQUAL(diagnosis,
                           "each wrong element is a square, but the last 4");
}

/* Numbers that all lie below the tolerance agree with each other: of a sum of
 * 1e9 that may be off by 12,000, 7, 8 and 9 are no sign of the call before. */
static void below_the_tolerance(void)
{
    double scale[N];
    struct expected e = vector();

    e.scale = scale;
    e.steps = 100;
    for (int i = 0; i < N; i++)
        scale[i] = i < 3 ? 1e9 : 0;
    for (int i = 0; i < 3; i++) {
        want[i] = 1e9;
        got[i] = (float)(4 * i - 5);
    }
    says(&e, NULL, "");
    for (int i = 0; i < 3; i++) {
        scale[i] = 0x1p-20;
        got[i] = (float)(7 + i);
    }
    says(&e, NULL, "the previous call's result");
}

/* The squares, a fact that is no cause. */
static void fact(struct hypotheses *h, const void *context)
{
    double *values = hypothesis_values(h);

    for (int i = 0; i < N; i++)
        values[i] = i * i;
    h->is_vague = true;
    hypothesis_try(h, context, "a square");
    h->is_vague = false;
}

/* What is no cause leaves the first place to a finding, and has its hint. */
static void facts_are_vague(void)
{
    struct expected e = vector_with(fact, "Which squares?");

    for (int i = 0; i < N; i++)
        got[i] = (float)(i * i);
    CU_ASSERT_EQUAL(certainty_of(&e), VAGUE);
    says(&e, NULL, "each wrong element is a square");
    CU_ASSERT_PTR_NOT_NULL_FATAL(said_hint);
    CU_ASSERT_STRING_EQUAL(said_hint, "Which squares?");
    e.context = NULL;
    says(&e, NULL, "each wrong element is a square");
    CU_ASSERT_TRUE(said_hint && !*said_hint); /* nor is the test's own shown */
}

/* Nothing is stored to the elements from column or row 4 on. */
static void check_grid(size_t rows, size_t columns, unsigned x, unsigned y,
                       const char *what)
{
    struct expected e = vector();
    float never;

    memset(&never, 0xCB, sizeof never);
    e.size[0] = rows;
    e.size[1] = columns;
    launch.grid[0] = x;
    launch.grid[1] = y;
    for (size_t i = 0; i < N; i++)
        if (i % columns >= 4 || i / columns >= 4)
            got[i] = never;
    CU_ASSERT_EQUAL(certainty_of(&e), VAGUE);
    CU_ASSERT_PTR_NOT_NULL(strstr(diagnosis, what));
}

/* Columns or rows that a grid with its x and y exchanged does not reach; the
 * x of the third kernel goes down, as in a transpose. */
static void exchanged_grid(void)
{
    check_grid(4, 6, 2, 3, "2 x 3 blocks, and tiles of 2 are 3 to the right");
    check_grid(6, 4, 3, 2, "3 x 2 blocks, and tiles of 2 are 2 to the right");
    check_grid(4, 6, 3, 2, "3 x 2 blocks, and tiles of 2 are 2 down the");
    check_grid(6, 4, 2, 2, "2 x 2 blocks is that of tiles of 4 rows and 2");
    check_grid(4, 6, 2, 2, "never written"); /* only too small */
    CU_ASSERT_STRING_EQUAL(diagnosis, "never written");
}

/* A mistake whose values overflow is not named by infinities. */
static void huge(struct hypotheses *h, const void *context)
{
    double *values = hypothesis_values(h);

    for (int i = 0; i < N; i++)
        values[i] = 1e40;
    hypothesis_try(h, NULL, "%s", (const char *)context);
}

static void infinities(void)
{
    struct expected e = vector_with(huge, "a product of huge numbers");

    for (int i = 0; i < N; i++)
        got[i] = INFINITY;
    CU_ASSERT_NOT_EQUAL(certainty_of(&e), CERTAIN);
}

/* Few bytes that agree may be chance, many are not; 0 is likelier. */
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
    for (int i = 0; i <= 8; i++)
        bytes[i] = 0;
    for (int i = 9; i < N; i++)
        bytes[i] = (uint8_t)due[i];
    CU_ASSERT_TRUE(compare(&e, &comparison));
    CU_ASSERT_EQUAL(diagnose_values(&evidence, text, &hint), VAGUE);
    CU_ASSERT_STRING_EQUAL(text, "all zero");
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

/* A whole factor that the launch has, too, is named in a single number. */
static void whole_factors(void)
{
    struct expected e = vector();

    e.size[0] = 1;
    want[0] = 1981.76;
    launch.block[0] = 512;
    got[0] = (float)(16 * want[0]);
    says(&e, NULL, "it is 16 times the expected value: as many as a block has "
         "warps");
    CU_ASSERT_EQUAL(certainty_of(&e), CERTAIN);
    CU_ASSERT_PTR_NOT_NULL(said_hint);
    got[0] = (float)(want[0] / 32);
    says(&e, NULL, "it is 1/32 of the expected value: a warp has 32 lanes");
    launch.block[0] = 256;
    got[0] = (float)(16 * want[0]);
    says(&e, NULL, "16 times the expected value");
    CU_ASSERT_EQUAL(certainty_of(&e), VAGUE);
    got[0] = (float)(3 * want[0]);
    launch.grid[0] = 3; /* a factor of 3 has other causes, too */
    CU_ASSERT_EQUAL(certainty_of(&e), VAGUE);
    got[0] = (float)(16.01 * want[0]);
    says(&e, NULL, "");
    e = vector();
    for (int i = 0; i < N; i++)
        got[i] = 12 * got[i];
    says(&e, NULL, "12 times the expected value");
    got[5] += 1.25f; /* one deviates */
    says(&e, NULL, "");
}

/* Integers where fractions are expected; one fraction, and it is none. */
static void integers(void)
{
    struct expected e = vector();

    for (int i = 0; i < N; i++)
        got[i] = floorf(0.7f * (float)want[i]);
    says(&e, NULL, "kept in an int");
    CU_ASSERT_STRING_EQUAL(said_hint, "");
    got[9] += 0.5f;
    says(&e, NULL, "");
    e = vector();
    for (int i = 0; i < N; i++) {
        want[i] = floor(want[i]); /* so are the right ones */
        got[i] = floorf(0.7f * (float)want[i]);
    }
    says(&e, NULL, "");
    e = vector();
    for (int i = 3; i < 6; i++) /* too few to be no chance */
        got[i] = (float)(2 * i + 3);
    says(&e, NULL, "");
    for (int i = 0; i < N; i++) { /* large floats are all whole numbers */
        want[i] = 0x1p23 + i + 0.5;
        got[i] = (float)(0x1p24 + 6 * i * i);
    }
    says(&e, NULL, "");
}

/* How much is told about `got`, with a location and the sentence `what`? */
static int detail_of(const struct expected *e, const char *what)
{
    struct comparison comparison;
    const struct evidence evidence = {e, &comparison, NULL, NULL, 0, &launch,
                                      false};
    const char *hint;
    int detail;

    CU_ASSERT_TRUE(compare(e, &comparison));
    detail = diagnose_detail(&evidence, CERTAIN,
                             diagnose_values(&evidence, diagnosis, &hint));
    CU_ASSERT_PTR_NOT_NULL(strstr(diagnosis, what));
    free(comparison.wrong_mask);
    return detail;
}

/* What is wrong with infinities and NaN tells no more than any failure. */
static void special_values(void)
{
    struct expected e = vector();
    int plain;

    got[3] = 1;
    got[5] = 77;
    plain = detail_of(&e, "");
    CU_ASSERT_TRUE(plain > 2);
    e = vector();
    got[3] = got[5] = 0; /* the same fact of numbers tells more */
    CU_ASSERT_TRUE(detail_of(&e, "all zero") > plain);
    e.special = true;
    CU_ASSERT_TRUE(detail_of(&e, "all zero") < plain);
    want[3] = want[5] = INFINITY;
    CU_ASSERT_TRUE(detail_of(&e, "0 instead of an infinity") < plain);
    want[3] = want[5] = NAN;
    CU_ASSERT_TRUE(detail_of(&e, "0 instead of NaN") < plain);
    got[3] = got[5] = 1e6;
    CU_ASSERT_TRUE(detail_of(&e, "a number instead of NaN") < plain);
    want[3] = want[5] = INFINITY;
    CU_ASSERT_TRUE(detail_of(&e, "finite instead of infinite") < plain);
    got[3] = got[5] = 3.4e38f;
    CU_ASSERT_TRUE(detail_of(&e, "FLT_MAX") < plain);
    e = vector();
    want[7] = got[7] = INFINITY; /* it is right, and makes others NaN */
    got[8] = NAN;
    CU_ASSERT_TRUE(detail_of(&e, "NaN: infinity") < plain);
}

int main(void)
{
    CU_TestInfo tests[] = {{"mistakes are named", mistakes_are_named},
                           {"replaced mistakes", replaced_mistakes},
                           {"below the tolerance", below_the_tolerance},
                           {"facts are vague", facts_are_vague},
                           {"exchanged grid", exchanged_grid},
                           {"infinities", infinities},
                           {"no chance", chance}, {"common", common_mistakes},
                           {"whole factors", whole_factors},
                           {"integers", integers},
                           {"special values", special_values},
                           CU_TEST_INFO_NULL};

    return run_tests("mistakes", tests);
}

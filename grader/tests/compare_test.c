/* SPDX-License-Identifier: MIT */
/* Comparison: tolerances, values that are no numbers, names and formats. */
#include <math.h>

#include "common/base/tests/run_tests.h"
#include "compare_fixture.h"

/* Exact, or within the roundings of so many steps. */
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

/* A double has its own rounding. */
static void tolerance_of_doubles(void)
{
    double value = 1 + 0x1p-52, one = 1;
    struct expected e = {.name = "c", .got = &value, .want = &one,
                         .type = FLOAT64, .size = {1}, .steps = 1};

    CU_ASSERT_EQUAL(wrong(&e), 0);
    value = 1 + 0x1p-30; /* more than a float's rounding */
    CU_ASSERT_EQUAL(wrong(&e), 1);
}

/* Neither is a wildcard. */
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

/* An element of an array of several dimensions. */
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

int main(void)
{
    CU_TestInfo tests[] = {{"tolerance", tolerance},
                           {"tolerance of doubles", tolerance_of_doubles},
                           {"NaN and infinity", nan_and_infinity},
                           {"names of elements", names},
                           {"formats of numbers", formats},
                           CU_TEST_INFO_NULL};

    return run_tests("compare", tests);
}

/* SPDX-License-Identifier: MIT */
/* Numbers as people write them, and what only looks like one. */
#include <math.h>

#include "common/base/number.h"
#include "run_tests.h"

static const char *const no_number[] = {"", " ", " 3", "3 ", "3x", "x3", "0x10",
                                        "+-3", "1,5", "1e", "e3", "--1", "inf",
                                        "nan", "1e999", "1.2.3", ".", "-",
                                        "3\n"};

/* Neither a value nor a change of what is there. */
static void no_numbers(void)
{
    for (size_t i = 0; i < sizeof no_number / sizeof *no_number; i++) {
        uint64_t whole = 7;
        double decimal = 7;

        CU_ASSERT_FALSE(number_unsigned(no_number[i], UINT64_MAX, &whole));
        CU_ASSERT_FALSE(number_decimal(no_number[i], &decimal));
        CU_ASSERT_EQUAL(whole, 7);
        CU_ASSERT_EQUAL(decimal, 7);
    }
}

/* One above the limit is refused, and no sum wraps around. */
static void whole_numbers(void)
{
    uint64_t value = 7;

    CU_ASSERT_FALSE(number_unsigned("1.5", 32, &value));
    CU_ASSERT_FALSE(number_unsigned("1e1", 32, &value));
    CU_ASSERT_FALSE(number_unsigned("-1", UINT64_MAX, &value));
    CU_ASSERT_FALSE(number_unsigned("+1", 32, &value));
    CU_ASSERT_FALSE(number_unsigned("33", 32, &value));
    CU_ASSERT_FALSE(number_unsigned("9", 8, &value));
    CU_ASSERT_FALSE(
        number_unsigned("18446744073709551616", UINT64_MAX, &value));
    CU_ASSERT_FALSE(
        number_unsigned("99999999999999999999", UINT64_MAX, &value));
    CU_ASSERT_EQUAL(value, 7);
    CU_ASSERT_TRUE(number_unsigned("32", 32, &value));
    CU_ASSERT_EQUAL(value, 32);
    CU_ASSERT_TRUE(number_unsigned("010", 32, &value));
    CU_ASSERT_EQUAL(value, 10);
    CU_ASSERT_TRUE(number_unsigned("18446744073709551615", UINT64_MAX, &value));
    CU_ASSERT_EQUAL(value, UINT64_MAX);
}

static void decimal_numbers(void)
{
    static const struct {
        const char *text;
        double value;
    } right[] = {{"0.5", 0.5}, {"-2", -2}, {"1e-3", 1e-3}, {".25", 0.25},
                 {"3.", 3}, {"+1.5E+2", 150}, {"0", 0}};

    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        double value = NAN;

        CU_ASSERT_TRUE(number_decimal(right[i].text, &value));
        CU_ASSERT_EQUAL(value, right[i].value);
    }
}

CU_TestInfo number_tests[] = {{"no numbers", no_numbers},
                              {"whole numbers", whole_numbers},
                              {"decimal numbers", decimal_numbers},
                              CU_TEST_INFO_NULL};

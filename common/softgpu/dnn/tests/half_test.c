/* SPDX-License-Identifier: MIT */
/* Conversions of fp16 and bfloat16: every value, ties, and one rounding. */
#include <math.h>

#include "common/base/tests/run_tests.h"
#include "common/softgpu/host/half.h"

/* The positive fp16 value with these bits, by its definition. */
static double half_value(unsigned bits)
{
    const int exponent = (int)(bits >> 10), fraction = (int)(bits & 0x3ff);

    return exponent ? ldexp(1024 + fraction, exponent - 25)
                    : ldexp(fraction, -24);
}

static void every_finite_half(void)
{
    for (unsigned i = 0; i < 0x7c00; i++) {
        CU_ASSERT_EQUAL((double)half_to_float((uint16_t)i), half_value(i));
        CU_ASSERT_EQUAL(float_to_half((float)half_value(i)), i);
        CU_ASSERT_EQUAL(double_to_half(-half_value(i)), i | 0x8000u);
    }
}

/* Halfway between two values: to the even one; a bit beside it: to the nearer
 * one, even if a float in between would be the tie. */
static void ties_go_to_even(void)
{
    for (unsigned i = 0; i + 1 < 0x7c00; i++) {
        const double tie = (half_value(i) + half_value(i + 1)) / 2;

        CU_ASSERT_EQUAL(double_to_half(tie), i + (i & 1));
        CU_ASSERT_EQUAL(float_to_half((float)tie), i + (i & 1));
        CU_ASSERT_EQUAL(double_to_half(nextafter(tie, 0)), i);
        CU_ASSERT_EQUAL(double_to_half(nextafter(tie, INFINITY)), i + 1);
    }
}

static void infinities_and_nan(void)
{
    CU_ASSERT_EQUAL(float_to_half(INFINITY), 0x7c00);
    CU_ASSERT_EQUAL(double_to_half(-1e300), 0xfc00);
    CU_ASSERT_EQUAL(double_to_half(65519.9), 0x7bff);
    CU_ASSERT_EQUAL(double_to_half(65520), 0x7c00);
    CU_ASSERT_EQUAL(half_to_float(0x7c00), INFINITY);
    CU_ASSERT(isnan(half_to_float(0x7e00)));
    CU_ASSERT_EQUAL(double_to_half((double)NAN), HALF_QUIET_NAN);
    CU_ASSERT_EQUAL(float_to_bfloat16(NAN), HALF_QUIET_NAN);
}

static void bfloat16(void)
{
    CU_ASSERT_EQUAL(float_to_bfloat16(1), 0x3f80);
    CU_ASSERT_EQUAL(float_to_bfloat16(1 + 0x1p-8f), 0x3f80);    /* tie */
    CU_ASSERT_EQUAL(float_to_bfloat16(1 + 0x3p-8f), 0x3f82);    /* tie */
    CU_ASSERT_EQUAL(float_to_bfloat16(1 + 0x1.1p-8f), 0x3f81);
    CU_ASSERT_EQUAL(bfloat16_to_float(0xc040), -3);
    CU_ASSERT_EQUAL(float_to_bfloat16(0x1.ffp127f), 0x7f80); /* infinity */
}

int main(void)
{
    CU_TestInfo tests[] = {{"every finite fp16", every_finite_half},
                           {"ties go to even", ties_go_to_even},
                           {"infinities and NaN", infinities_and_nan},
                           {"bfloat16", bfloat16},
                           CU_TEST_INFO_NULL};

    return run_tests("half", tests);
}

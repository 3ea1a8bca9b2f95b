/* SPDX-License-Identifier: MIT */
/* Values of the wrong elements. */
#include "diagnose_grid.h"
#include "diagnose_unwritten.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "diagnose_copies.h"
#include "hypothesis.h"
#include "response.h"

size_t evidence_count(const struct evidence *e)
{
    return e->comparison->count;
}

double evidence_got(const struct evidence *e, size_t index)
{
    return element_value(e->expected->got, e->expected->type, index);
}

bool evidence_all_wrong(const struct evidence *e, element_test *test,
                        size_t least)
{
    if (e->comparison->wrong < least)
        return false;
    for (size_t i = 0; i < evidence_count(e); i++)
        if (e->comparison->wrong_mask[i] && !test(e, i))
            return false;
    return true;
}

bool diagnose(char *text, const char *words)
{
    snprintf(text, DIAGNOSIS_SIZE, "%s", words);
    return true;
}

bool evidence_is_zero(const struct evidence *e, size_t i)
{
    return evidence_got(e, i) == 0;
}

bool diagnose_first(diagnosis_rule *const *rules,
                    const struct evidence *evidence, char *text)
{
    for (; *rules; rules++)
        if ((*rules)(evidence, text))
            return true;
    text[0] = 0;
    return false;
}

/* A small integer or an address whose bits are read as a float; not so among
 * numbers that are as small. */
static bool is_subnormal(const struct evidence *e, size_t i)
{
    const double got = fabs(evidence_got(e, i));
    const double want = fabs(e->expected->want[i]);

    return e->expected->type == FLOAT32 && got > 0 && got < 0x1p-126
           && !(want > 0 && want < 0x1p-126) && !evidence_is_unwritten(e, i);
}

/* A register that was never set holds mostly such bits; beside larger terms
 * it does not show. */
static bool unset_variable(const struct evidence *e, char *text)
{
    return evidence_all_wrong(e, is_subnormal, 1)
           && diagnose(text, "the bits of an integer or an address: "
                       "is a local variable, or an element of a local array, "
                       "added to before it is set?");
}

/* Bytes that are 0 and 1 only, or two other neighbors, are all zero or off by
 * one whatever the mistake is. */
static bool has_few_values(const struct evidence *e)
{
    const double *want = e->expected->want;
    double low = want[0], high = want[0];

    for (size_t i = 0; i < evidence_count(e); i++) {
        low = fmin(low, want[i]);
        high = fmax(high, want[i]);
    }
    return e->expected->type == UINT8 && high - low < 8;
}

static bool all_zero(const struct evidence *e, char *text)
{
    return evidence_all_wrong(e, evidence_is_zero, 2) && !has_few_values(e)
           && diagnose(text, "all zero");
}

static bool is_nan(const struct evidence *e, size_t i)
{
    return isnan(evidence_got(e, i));
}

/* NaN where the contract gives a number. */
static bool all_nan(const struct evidence *e, char *text)
{
    const double *scale = e->expected->scale;

    return evidence_all_wrong(e, is_nan, 1)
           && !(scale && isnan(scale[e->comparison->first])) /* expected */
           && diagnose(text, "NaN: infinity minus infinity, 0 times "
                       "infinity, 0 divided by 0, or NaN from memory?");
}

static bool is_number_for_nan(const struct evidence *e, size_t i)
{
    return is_real(e->expected->type) && isnan(e->expected->want[i])
           && !isnan(evidence_got(e, i));
}

static bool number_for_nan(const struct evidence *e, char *text)
{
    if (!evidence_all_wrong(e, is_number_for_nan, 1))
        return false;
    return diagnose(text, evidence_all_wrong(e, evidence_is_zero, 1)
                              ? "0 instead of NaN: is a NaN replaced, or a "
                                "product left out where a factor is 0? 0 times "
                                "infinity is NaN"
                              : "a number instead of NaN: is a NaN, or the "
                                "term that is one, replaced or left out?");
}

static bool is_number_for_infinity(const struct evidence *e, size_t i)
{
    return is_real(e->expected->type) && isinf(e->expected->want[i])
           && isfinite(evidence_got(e, i));
}

static bool number_for_infinity(const struct evidence *e, char *text)
{
    return evidence_all_wrong(e, is_number_for_infinity, 1)
           && diagnose(text, evidence_all_wrong(e, evidence_is_zero, 1)
                                 ? "0 instead of an infinity: is the infinity, "
                                   "or the term with it, replaced or left out?"
                                 : "finite instead of infinite: is an infinity "
                                   "replaced, or the term with it left out?");
}

/* A float32 whose low mantissa bits are 0 is representable in fewer bits.  A
 * number whose expected value is representable as well is no evidence. */
static bool has_few_bits(const struct evidence *e, size_t i, int zeros)
{
    const float got = (float)evidence_got(e, i);
    uint32_t bits;

    memcpy(&bits, &got, sizeof bits);
    return isfinite(got) && (bits & ((1u << zeros) - 1)) == 0;
}

/* A sum that stops at 2^24, one value, is not. */
static bool is_rounded(const struct evidence *e, int zeros)
{
    size_t telling = 0, different = 0;

    for (size_t i = 0; i < evidence_count(e); i++) {
        const float want = (float)e->expected->want[i];
        uint32_t bits;

        if (!e->comparison->wrong_mask[i])
            continue;
        if (!has_few_bits(e, i, zeros))
            return false;
        different += evidence_got(e, i) != e->comparison->got;
        memcpy(&bits, &want, sizeof bits);
        telling += evidence_got(e, i) != 0 && bits << (32 - zeros) != 0;
    }
    return telling >= 3 && different >= 2;
}

/* Within the precision of a bfloat16, or too small for a half. */
static bool is_near(const struct evidence *e, size_t i)
{
    const double want = e->expected->want[i];

    return fabs(evidence_got(e, i) - want) <= fabs(want) * 0x1p-6 + 0x1p-14;
}

/* bfloat16 has 8 bits of mantissa, a half and TF32 have 11. */
static bool fewer_mantissa_bits(const struct evidence *e, char *text)
{
    if (e->expected->type != FLOAT32 || !evidence_all_wrong(e, is_near, 3))
        return false;
    if (is_rounded(e, 16))
        return diagnose(text, "each wrong element has only 8 bits of mantissa: "
                        "a bfloat16");
    return is_rounded(e, 13)
           && diagnose(text, "each wrong element has only 11 bits of "
                       "mantissa: a half");
}

static bool is_close(const struct evidence *e, size_t i)
{
    double want = e->expected->want[i];

    if (!is_real(e->expected->type))
        return fabs(evidence_got(e, i) - want) <= 1;
    return isfinite(want)
           && fabs(evidence_got(e, i) - want) <= fabs(want) * 0x1p-8;
}

/* The largest float, or near it, where infinity is expected. */
static bool is_finite_for_infinity(const struct evidence *e, size_t i)
{
    return isinf(e->expected->want[i]) && isfinite(evidence_got(e, i))
           && fabs(evidence_got(e, i)) > 1e38;
}

static bool finite_for_infinity(const struct evidence *e, char *text)
{
    return evidence_all_wrong(e, is_finite_for_infinity, 1)
           && diagnose(text, "finite instead of infinite: is FLT_MAX used for "
                       "infinity?");
}

/* Does the value have at most so many significant bits? */
static bool has_bits(double value, int bits)
{
    int exponent;

    value = ldexp(frexp(value, &exponent), bits);
    return value == rint(value);
}

/* Is a number of more bits one of half now? */
static bool is_kept_as_half(const struct evidence *e, size_t i)
{
    enum { HALF_BITS = 11 };

    return has_bits(evidence_got(e, i), HALF_BITS)
           && !has_bits(e->expected->want[i], HALF_BITS);
}

/* A sum of whole numbers has no rounding error. */
static bool is_integral(const struct evidence *e, size_t i)
{
    const double want = e->expected->want[i], got = evidence_got(e, i);

    return want == rint(want) && got == rint(got) && fabs(want) < 0x1p24
           && want != 0;
}

/* Bytes are rounded values, 4-byte integers are counts. */
static bool rounding_error(const struct evidence *e, char *text)
{
    const enum element type = e->expected->type;

    if (type == BITS32 || !evidence_all_wrong(e, is_close, 1))
        return false;
    if (type == UINT8)
        return e->comparison->wrong >= 4 && !has_few_values(e)
               && diagnose(text, "off by one: how is it rounded?");
    if (!is_real(type))
        return diagnose(text,
                        "off by one: is something counted twice, or "
                        "left out?");
    if (evidence_all_wrong(e, is_integral, 1)
        && !evidence_all_wrong(e, is_kept_as_half, 1))
        return diagnose(
            text, "whole numbers near the right ones: is a term "
                  "left out, or added twice, or a sum kept in fewer bits?");
    return diagnose(text, e->expected->scale
                              ? DIAGNOSIS_CLOSE ": are too many terms added "
                                "one after another, was it computed in lower "
                                "precision, or is a small term wrong?"
                              : DIAGNOSIS_CLOSE ": was it computed in lower "
                                "precision, or is a small term wrong?");
}

/* An integer where fractions are expected.  A float with an exponent of e is an
 * integer by chance once in 2^(24 - e). */
static bool whole_numbers(const struct evidence *e, char *text)
{
    enum { BITS = 24, NEEDED = 40, LEAST = 4 };
    double last = 0;
    int bits = 0, exponent, telling = 0;

    if (e->expected->type != FLOAT32)
        return false;
    for (size_t i = 0; i < evidence_count(e); i++) {
        const double got = evidence_got(e, i);

        if (!e->comparison->wrong_mask[i])
            continue;
        if (!(got == rint(got)) || isinf(got))
            return false;
        frexp(got, &exponent);
        if (got == 0 || got == last || exponent >= BITS
            || e->expected->want[i] == rint(e->expected->want[i]))
            continue;
        last = got; /* a constant tells nothing of its computation */
        bits += BITS - exponent;
        telling++;
    }
    return telling >= LEAST && bits >= NEEDED
           && diagnose(text, "whole numbers, where fractions are expected: is "
                       "a sum or a product kept in an int?");
}

static const char shared_hint[] =
    "Shared memory is not 0 at the start: is each element that is read stored "
    "before, at the same index (also if it is swizzled), with a barrier "
    "between? The part of a tile outside of its array, "
    "too, as 0 or what else changes nothing.";

/* A mistake that tells which part of the shared memory no thread wrote. */
static bool explain_unwritten_shared(const struct evidence *evidence,
                                     char *text, const char **hint)
{
    char mistake[DIAGNOSIS_SIZE];
    const char *its_hint;
    bool is_by_thread;

    if (!strstr(text, "shared memory that no thread wrote"))
        return false;
    is_by_thread = past_the_threads(evidence, text);
    if (is_by_thread || !strncmp(text, "read", 4)) /* all of them */
        *hint = shared_hint;
    if (is_by_thread)
        return true;
    if (diagnose_mistake(evidence, mistake, &its_hint) != CERTAIN)
        return false;
    memcpy(text, mistake, sizeof mistake);
    *hint = its_hint;
    return true;
}

enum certainty diagnose_values(const struct evidence *evidence, char *text,
                               const char **hint)
{
    static diagnosis_rule *const causes[] = {
        too_few_threads, not_copied_back, copied_in_part,
        copied_rows_in_part, unset_variable,
        finite_for_infinity, fewer_mantissa_bits, read_unfilled_fragment,
        NULL};
    static diagnosis_rule *const facts[] = {
        number_for_nan, number_for_infinity, all_zero, all_nan, rounding_error,
        NULL};
    enum certainty certainty;

    *hint = "";
    if (diagnose_first(causes, evidence, text))
        return CERTAIN;
    certainty = diagnose_unwritten(evidence, text, hint);
    if (certainty == VAGUE && explain_unwritten_shared(evidence, text, hint))
        return CERTAIN;
    if (certainty != UNKNOWN)
        return certainty;
    certainty = diagnose_mistake(evidence, text, hint);
    if (certainty != UNKNOWN)
        return certainty;
    certainty = diagnose_response(evidence, text);
    if (certainty != UNKNOWN) { /* the test's hint is about other mistakes */
        *hint = certainty == CERTAIN ? response_no_hint
                                      : response_hint(evidence);
        return certainty;
    }
    *hint = NULL;
    if (whole_numbers(evidence, text)) {
        *hint = ""; /* the test's is about sums that are wrong otherwise */
        return VAGUE;
    }
    return diagnose_first(facts, evidence, text) ? VAGUE : UNKNOWN;
}

static bool is_special(const struct evidence *e, size_t i)
{
    return !isfinite(e->expected->want[i]);
}

int diagnose_detail(const struct evidence *evidence, enum certainty located,
                    enum certainty explained)
{
    enum { SPECIAL = 2, LEAST = 3 };
    bool has_special = false;

    for (size_t i = 0; i < evidence_count(evidence); i++)
        has_special = has_special || is_special(evidence, i);
    if ((has_special && explained != CERTAIN)
        || evidence_all_wrong(evidence, is_special, 1))
        return SPECIAL;
    if ((evidence->expected->special || evidence->expected->is_vague)
        && explained != CERTAIN)
        return LEAST;
    return LEAST + 2 * (int)explained + (located == CERTAIN);
}

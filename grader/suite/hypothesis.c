/* SPDX-License-Identifier: MIT */
/* Which mistake explains all wrong elements?
 *
 * A value of a mistake that equals a wrong element is a coincidence with a
 * probability of about tolerance / distance, where distance is that of the
 * mistake's value from the expected one: most wrong results are that near. The
 * logarithms are added up over the wrong elements, as bits of evidence. */
#include "hypothesis.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common_mistakes.h"

/* With about 40 mistakes for a lab, one in 800 fits by chance. */
static const double min_evidence = 15;
static const double max_bits = 20;       /* of one element */
static const double max_bits_of_set = 8; /* of the set of wrong elements */

size_t hypothesis_count(const struct hypotheses *h)
{
    return evidence_count(h->evidence);
}

size_t hypothesis_block_size(const struct hypotheses *h)
{
    const struct facts *f = h->evidence->facts;

    return f && f->launches ? (size_t)f->block[0] * f->block[1] * f->block[2]
                            : 0;
}

size_t hypothesis_grid_size(const struct hypotheses *h)
{
    const struct facts *f = h->evidence->facts;

    return f && f->launches ? (size_t)f->grid[0] * f->grid[1] * f->grid[2] : 0;
}

double *hypothesis_values(struct hypotheses *h)
{
    memcpy(h->values, h->evidence->expected->want,
           hypothesis_count(h) * sizeof *h->values);
    return h->values;
}

bool hypothesis_first_agree(const struct hypotheses *h, int most,
                            double (*value)(const void *context, size_t e),
                            const void *context)
{
    enum { ENOUGH = 4 };
    const struct expected *expected = h->evidence->expected;
    int telling = 0, seen = 0;

    for (size_t e = h->evidence->comparison->first;
         e < hypothesis_count(h) && telling < ENOUGH && seen < most; e++) {
        double said, got;

        if (!h->evidence->comparison->wrong_mask[e])
            continue;
        seen++;
        said = value(context, e);
        if (said == HYPOTHESIS_ANY)
            continue;
        telling++;
        got = evidence_got(h->evidence, e);
        if (said != got
            && !(fabs(said - got) <= fmax(element_tolerance(expected, e),
                                          0x1p-16 * fabs(said))))
            return false;
    }
    return telling > 0;
}

/* A value that does not agree with the element's. */
static double refuting(const struct hypotheses *h, size_t element)
{
    return isnan(evidence_got(h->evidence, element)) ? 0 : NAN;
}

double hypothesis_unstored(const struct hypotheses *h, size_t element)
{
    return !h->evidence->poison
                   || evidence_is_unwritten(h->evidence, element)
               ? HYPOTHESIS_ANY : refuting(h, element);
}

double hypothesis_zero(const struct hypotheses *h, size_t element)
{
    return !h->evidence->poison || evidence_got(h->evidence, element) == 0
               ? 0 : refuting(h, element);
}

/* Rounding errors of a mistake grow with its own values. */
static double tolerance_of(const struct hypotheses *h, size_t i)
{
    const struct expected *e = h->evidence->expected;
    const double value = fabs(h->values[i]), want = fabs(e->want[i]);
    double tolerance;

    if (!is_real(e->type))
        return 0.5;
    if (e->steps == 0) /* among whole numbers the next one is 1 away */
        return value == rint(value) && want == rint(want)
                   ? 0.5 : fmax(0x1p-24 * value, 0x1p-149);
    tolerance = element_tolerance(e, i);
    if (!isfinite(tolerance))
        tolerance = 0;
    if (isfinite(want) && value > want && want > 0)
        tolerance *= fmin(value / want, 16);
    return fmax(tolerance / 2 / h->precision, 0x1p-22 * value);
}

/* The mistake's value as the element's type holds it: 1e40 is an infinity. */
static double value_of(const struct hypotheses *h, size_t i)
{
    return h->evidence->expected->type == FLOAT32 ? (double)(float)h->values[i]
                                                  : h->values[i];
}

/* Does this number agree with the mistake's? */
static bool agrees(const struct hypotheses *h, size_t i, double number)
{
    const struct expected *e = h->evidence->expected;
    const double value = value_of(h, i);

    if (h->values[i] == HYPOTHESIS_ANY)
        return true;
    if (isnan(value) || isnan(number))
        return isnan(value) && isnan(number);
    if (value == number)
        return true;
    if (isinf(value) || isinf(number) || e->steps == 0)
        return false;
    return fabs(number - h->values[i]) <= tolerance_of(h, i);
}

/* Bits of evidence of a wrong element that agrees with a finite number. */
static double evidence_of(const struct hypotheses *h, size_t i)
{
    const double value = h->values[i], want = h->evidence->expected->want[i];
    const double distance = isfinite(want) ? fabs(value - want) : fabs(value);

    if (value == HYPOTHESIS_ANY)
        return 0;
    return fmin(fmax(log2(distance / tolerance_of(h, i)), 0), max_bits);
}

/* Bits of evidence of a mistake that is wrong in these elements and in no
 * others: about as many as name them, but some sets are likelier. */
static double evidence_of_set(const struct hypotheses *h)
{
    const double wrong = (double)h->evidence->comparison->wrong;
    const double right = (double)hypothesis_count(h) - wrong;

    return fmin(fmin(wrong, right) * log2(wrong + right), max_bits_of_set);
}

/* 0 and NaN come out of many mistakes, often all at once; and a
 * number below the tolerance agrees with every other one of these. */
static bool is_common(const struct hypotheses *h, size_t i)
{
    const double value = h->values[i];

    return !isfinite(value) || value_of(h, i) == 0
           || (value != HYPOTHESIS_ANY && h->evidence->expected->steps > 0
               && fabs(value) <= tolerance_of(h, i));
}

/* The evidence of all wrong elements; negative when one does not agree.  An
 * infinity is none: whatever overflows agrees with it. */
static double total_evidence(const struct hypotheses *h)
{
    double bits = 0, common = 0;

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        if (!h->evidence->comparison->wrong_mask[i])
            continue;
        if (!agrees(h, i, evidence_got(h->evidence, i)))
            return -1;
        if (isinf(value_of(h, i)))
            continue;
        if (is_common(h, i))
            common++;
        else
            bits += evidence_of(h, i);
    }
    return bits + fmin(common, max_bits_of_set);
}

static bool agrees_with_correct(const struct hypotheses *h)
{
    const struct evidence *e = h->evidence;

    for (size_t i = 0; i < hypothesis_count(h); i++)
        if (!e->comparison->wrong_mask[i]
            && !agrees(h, i, evidence_got(e, i))
            && !agrees(h, i, e->expected->want[i]))
            return false;
    return true;
}

void hypothesis_try(struct hypotheses *h, const char *hint,
                    const char *format, ...)
{
    char text[DIAGNOSIS_SIZE];
    va_list arguments;
    bool fits_all;
    double bits;

    bits = total_evidence(h);
    fits_all = bits >= 0 && agrees_with_correct(h);
    if (bits + fits_all * evidence_of_set(h) < h->needed)
        return;
    if (!fits_all && (h->is_whole || (h->fits && h->fits_all)))
        return;
    if (!h->fits_all && fits_all)
        h->fits = 0; /* better than all before it */
    h->fits_all = fits_all;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (h->fits == 1 && !strcmp(text, h->text[0]))
        return;
    if (h->fits == 0)
        h->fits_vaguely = h->is_vague;
    if (h->fits < 2) {
        memcpy(h->text[h->fits], text, sizeof text);
        h->hint[h->fits] = hint;
    }
    h->fits++;
}

/* The bytes of a text that fit, to the end of a clause. */
static int clause_length(const char *text, size_t most)
{
    size_t length = strlen(text);

    if (length <= most)
        return (int)length;
    for (length = most; length > 0; length--)
        if (strchr(".:;,", text[length]) && text[length + 1] == ' ')
            break;
    return (int)length;
}

enum certainty diagnose_mistake(const struct evidence *evidence, char *text,
                                const char **hint)
{
    const struct expected *expected = evidence->expected;
    const bool single = evidence->comparison->wrong == 1;
    size_t most;
    struct hypotheses h = {.evidence = evidence, .precision = 1,
                           .needed = min_evidence};

    *hint = NULL;
    h.values = malloc((evidence->comparison->count + 1) * sizeof *h.values);
    if (!h.values)
        return UNKNOWN;
    if (expected->mistakes)
        expected->mistakes(&h, expected->context);
    if (!h.fits)
        try_common_mistakes(&h);
    free(h.values);
    if (h.fits == 0 || h.fits > 2)
        return UNKNOWN;
    most = DIAGNOSIS_SIZE / (h.fits == 2 ? 2 : 1) - 24;
    snprintf(text, DIAGNOSIS_SIZE, "%s %.*s%s%.*s",
             single ? "it is" : "each wrong element is",
             clause_length(h.text[0], most), h.text[0],
             h.fits == 2 ? ", or " : "",
             h.fits == 2 ? clause_length(h.text[1], most) : 0, h.text[1]);
    if (h.fits == 2)
        return VAGUE;
    *hint = h.hint[0] ? h.hint[0] : ""; /* the test's is about other mistakes */
    if (h.fits_vaguely)
        return VAGUE;
    /* One that would make correct elements wrong, too, may be another's
     * double: a mirrored edge looks as a flipped filter in the first row. */
    return h.fits_all ? CERTAIN : VAGUE;
}

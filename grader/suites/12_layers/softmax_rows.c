/* SPDX-License-Identifier: MIT */
/* What the rows of a wrong softmax tell of their sums.  y / exp(x) is 1 / (exp
 * of the maximum times the sum): the same in all columns of a row. */
#include <math.h>

#include "mistakes.h"

static const double same = 1e-2; /* relative; rounding errors of 16 bits are
                                    less */

/* y / exp(x) in relation to the right one. */
static double factor_at(const struct hypotheses *h, size_t i)
{
    return evidence_got(h->evidence, i) / h->evidence->expected->want[i];
}

static bool is_known(const struct hypotheses *h, size_t i)
{
    const double factor = factor_at(h, i);

    return isfinite(factor) && factor > 0
           && h->evidence->expected->want[i] > 1e-30;
}

/* The first column whose factor is not that of the first one; columns: there
 * is none, or a factor is not known. */
static size_t other_column(const struct hypotheses *h, size_t first,
                           size_t columns)
{
    for (size_t j = 0; j < columns; j++)
        if (!is_known(h, first + j))
            return columns;
    for (size_t j = 1; j < columns; j++)
        if (fabs(factor_at(h, first + j) / factor_at(h, first) - 1) > same)
            return j;
    return columns;
}

/* A fact about all wrong elements: they are what they are. */
static void say(struct hypotheses *h, const char *hint, const char *text)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = evidence_got(h->evidence, i);
    h->needed = -1;
    h->is_vague = true;
    hypothesis_try(h, hint, "%s", text);
    h->is_vague = false;
    h->needed = needed;
}

/* Rows in which two columns have other factors. */
static bool say_columns(struct hypotheses *h, const struct softmax_inputs *in)
{
    char text[DIAGNOSIS_SIZE];

    for (size_t row = 0; row < in->rows; row++) {
        const size_t first = row * in->columns;
        const size_t other = other_column(h, first, in->columns);

        if (other == in->columns)
            continue;
        snprintf(text, sizeof text, "computed with different maxima or sums in "
                 "one row: row %zu has another one from column %zu on than in "
                 "column %zu", row, other, other - 1);
        say(h, "All threads of a row need the same maximum and the same sum: "
            "do all of its lanes, warps and rounds take part in the reduction, "
            "and does its result reach each of them?", text);
        return true;
    }
    return false;
}

/* Each row has one sum, which is too small or too large. */
static void say_sums(struct hypotheses *h, const struct softmax_inputs *in)
{
    double least = INFINITY, most = 0;
    char text[DIAGNOSIS_SIZE], range[32];

    for (size_t row = 0; row < in->rows; row++) {
        const size_t first = row * in->columns;

        if (!is_known(h, first))
            return;
        least = fmin(least, 1 / factor_at(h, first));
        most = fmax(most, 1 / factor_at(h, first));
    }
    if ((most > 1 + same) == (least < 1 - same))
        return; /* some too large, some too small; or hardly wrong */
    snprintf(range, sizeof range, "%.3g to ", least);
    snprintf(text, sizeof text, "divided by a sum that is %s%.3g times that of "
             "its row: the same in all columns, so what is divided is right",
             most - least > same ? range : "", most);
    say(h, most > 1 + same
               ? "Are elements of another row, the padding behind the last "
                 "column, or some of them twice added, or sums to different "
                 "maxima that are not first rescaled to one?"
               : "The sum lacks terms: which columns does each thread add, in "
                 "which rounds, and are all threads' sums added?", text);
}

void layers_softmax_rows(struct hypotheses *h, const struct softmax_inputs *in)
{
    if (hypothesis_count(h) && in->columns > 1 && !say_columns(h, in))
        say_sums(h, in);
}

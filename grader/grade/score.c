/* SPDX-License-Identifier: MIT */
/* Arithmetic of measurements. */
#include "score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double reference_share = 0.9;
const double step_share = 0.95;

/* Probability that a confidence interval must have. */
static const double confidence = 0.9;

double score_zero(double target)
{
    return fmin(1, 0.9 * target);
}

double score_fraction(double ratio, double target)
{
    double fraction;

    if (!(ratio > 0) || !(target > 0))
        return 0;
    fraction =
        log(ratio / score_zero(target)) / log(target / score_zero(target));
    return fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double score_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, ascending);
    return count % 2 ? values[count / 2]
                     : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* The median is outside of the values from index i to count - 1 - i when at
 * most i of the count values are on one side of it: a binomial distribution. */
void score_interval(const double *sorted, size_t count, double *low,
                    double *high)
{
    double term = pow(0.5, (double)count), outside = 2 * term;
    size_t i = 0;

    while (i + 1 < (count + 1) / 2) {
        term *= (double)(count - i) / (double)(i + 1);
        outside += 2 * term;
        if (outside > 1 - confidence)
            break;
        i++;
    }
    *low = sorted[i];
    *high = sorted[count - 1 - i];
}

/* Median of values that stay as they are. */
static double median_of(const double *values, size_t count)
{
    double *copy = malloc(count * sizeof *copy);
    double median = NAN;

    if (copy)
        median = score_median(memcpy(copy, values, count * sizeof *copy),
                              count);
    free(copy);
    return median;
}

double score_drift(const double *values, size_t count)
{
    if (count < 2)
        return 0;
    return score_change(median_of(values + count / 2, count - count / 2),
                        median_of(values, count / 2));
}

double score_change(double value, double before)
{
    return before > 0 ? value / before - 1 : 0;
}

double score_threshold(const double *ratios, size_t step)
{
    return step_share * ratios[step];
}

/* The first step that is not reached ends the count, so that a slower step
 * behind it is none that was reached. */
size_t score_steps(const double *ratios, size_t steps, double ratio)
{
    size_t reached = 0;

    while (reached < steps && ratio >= score_threshold(ratios, reached))
        reached++;
    return reached;
}

size_t score_straddled(const double *ratios, size_t steps, double low,
                       double high)
{
    const size_t reached = score_steps(ratios, steps, low);

    return reached < steps && high >= score_threshold(ratios, reached)
               ? reached + 1 : 0;
}

double round_points(double points)
{
    return round(points * 100) / 100;
}

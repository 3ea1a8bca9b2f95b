/* SPDX-License-Identifier: MIT */
/** @file
 *  Arithmetic of measurements: points, medians, drift, steps of a ladder.
 */
#ifndef GRADER_SCORE_H
#define GRADER_SCORE_H

#include <stdbool.h>
#include <stddef.h>

/** Full points are earned at this fraction of the reference's speedup. */
extern const double reference_share;
/** A file is as fast as a step when its speedup is at least this fraction of
 *  the step's. */
extern const double step_share;

/** Ratio that earns no points: 1, the baseline's; but at most 0.9 of the
 *  target, so that a lab can be graded whose reference gains less than that on
 *  its baseline. */
double score_zero(double target);
/** Fraction of a timed run's points:
 *  clamp(log(ratio / zero) / log(target / zero), 0, 1), zero as of
 *  score_zero(). It is continuous, so noise changes it little.
 *  @param ratio   baseline time / submission time
 *  @param target  ratio that earns all points; 0 or less: none are earned */
double score_fraction(double ratio, double target);
/** Sort the values.  @return their median; 0 when there are none */
double score_median(double *values, size_t count);
/** Confidence interval of the median, from order statistics: the narrowest
 *  symmetric one that contains it with a probability of 90 % or more; the whole
 *  range when none does.
 *  @param sorted  ascending, as score_median() leaves them; at least one */
void score_interval(const double *sorted, size_t count, double *low,
                    double *high);
/** Relative change of the median from the first half of the values to the
 *  second; 0 for fewer than two.
 *  @param values  in the order of the measurements; not changed */
double score_drift(const double *values, size_t count);
/** Relative difference of a value from what it was; 0 when that is not
 *  known (0). */
double score_change(double value, double before);
/** Speedup from which on a file that has reached the steps before it has
 *  reached a step, too.
 *  @param ratios  of the ladder's steps over the baseline, in order
 *  @param step    0, 1, ... */
double score_threshold(const double *ratios, size_t step);
/** How many steps of the ladder a file has reached; equal steps are reached
 *  together. */
size_t score_steps(const double *ratios, size_t steps, double ratio);
/** Find the step whose threshold is between low and high.
 *  @return its number from 1 on; 0 when there is none */
size_t score_straddled(const double *ratios, size_t steps, double low,
                       double high);
/** Points rounded to hundredths, as reports show them. */
double round_points(double points);

#endif

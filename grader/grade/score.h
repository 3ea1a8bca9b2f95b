/* SPDX-License-Identifier: MIT */
/** @file
 *  Points for measurements.
 */
#ifndef GRADER_SCORE_H
#define GRADER_SCORE_H

#include <stddef.h>

/** Fraction of a timed run's points: clamp(log(ratio) / log(target), 0, 1).  It
 *  is continuous, so noise changes it little; a ratio of 1 earns nothing, the
 *  target all points.
 *  @param ratio  baseline time / submission time */
double score_fraction(double ratio, double target);
/** Median of the values, which are sorted; 0 when there are none. */
double score_median(double *values, size_t count);
/** Points rounded to hundredths, as reports show them. */
double round_points(double points);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  From measurements to points.
 */
#ifndef GRADER_SCORE_H
#define GRADER_SCORE_H

#include <stddef.h>

/** Share of a timed run's points: clamp(log(ratio) / log(target), 0, 1).
 *  Continuous, so that noise moves it by little; a ratio of 1 earns nothing,
 *  the target all.  `ratio` is the baseline's time by the submission's. */
double score_share(double ratio, double target);
/** Median; sorts the values.  0 when there are none. */
double score_median(double *values, size_t count);
/** Points as they are shown: rounded to hundredths. */
double score_points(double points);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  What a reduction gives, and how precisely.
 */
#ifndef GRADER_SUITES_04_REDUCTION_REFERENCE_H
#define GRADER_SUITES_04_REDUCTION_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/** The sum of n elements in double.
 *  @param[out] scale  the sum of the absolute values */
double sum_reference(const float *in, size_t n, double *scale);
/** The maximum of n elements; a NaN is ignored. */
double max_reference(const float *in, size_t n);
/** Roundings on the longest path that the contract's bound allows: a tree over
 *  sequential sums of n elements in all. */
double rounding_steps(size_t n);
/** Is one of n elements no finite number? */
bool has_special(const float *in, size_t n);

#endif

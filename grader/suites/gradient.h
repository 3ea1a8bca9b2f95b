/* SPDX-License-Identifier: MIT */
/** @file
 *  A backward's values held against differences of the forward.
 *
 *  The suite writes the loss in double; its gradient is measured, not derived,
 *  so a wrong formula that lab and reference share shows here.
 */
#ifndef GRADER_SUITES_GRADIENT_H
#define GRADER_SUITES_GRADIENT_H

#include <stddef.h>

/** A gradient that a lab computed, and the loss it is of. */
struct gradient {
    const char *name; /**< of the output: "x_grad" */
    /** The loss at `at`, in double; without kinks within 0.002 of it. */
    double (*loss)(const double *at, const void *context);
    const void *context; /**< handed on to it */
    const double *at;    /**< n numbers of magnitude 1 or so */
    const float *got;    /**< n numbers that should be the gradient there */
    size_t n;            /**< of each */
    double steps;        /**< rounded operations, as in struct expected, at
                              the magnitude of the largest element */
};

/** Compare with (8 (L(x + h) - L(x - h)) - (L(x + 2 h) - L(x - 2 h))) / 12 h,
 *  h = 0.001, whose own error is some 1e-12 of the loss. */
void expect_gradient(const struct gradient *gradient);

#endif

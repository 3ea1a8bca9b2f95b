/* SPDX-License-Identifier: MIT */
/** @file
 *  Gradient check: a gradient compared with finite differences of the loss.
 *
 *  The suite has the loss in double.  Its gradient is measured, not derived,
 *  so a formula that is wrong in both lab and reference shows here.
 */
#ifndef GRADER_SUITES_GRADIENT_H
#define GRADER_SUITES_GRADIENT_H

#include <stddef.h>

/** A gradient that a lab computed, and its loss function. */
struct gradient {
    const char *name; /**< name of the output: "x_grad" */
    /** Outputs behind it in `got`, each compared on its own: names, NULL after
     *  the last, and elements. */
    struct {
        const char *name; /**< "bias_grad" */
        size_t n;         /**< elements */
    } next[2];
    /** The loss at a point, in double; no kink within 0.002 of it. */
    double (*loss)(const double *point, const void *context);
    const void *context; /**< passed to it */
    const double *point;    /**< n values of magnitude 1 or so */
    const float *got;    /**< n values: the lab's gradient at the point */
    size_t n;            /**< elements of each, of all outputs */
    double steps;        /**< rounded operations, as in struct expected,
                              relative to the largest element */
};

/** Compare with the central difference of fourth order, (8 (L(x + h) - L(x -
 *  h)) - (L(x + 2 h) - L(x - 2 h))) / 12 h with h = 0.001, whose error is
 *  about 1e-12 of the loss. */
void expect_gradient(const struct gradient *gradient);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 10.
 */
#ifndef GRADER_SUITES_10_CONVOLUTION_MISTAKES_H
#define GRADER_SUITES_10_CONVOLUTION_MISTAKES_H

#include "grader/suite/hypothesis.h"
#include "labs/10_convolution/convolution.h"

/** One call: the image, the filter, and its factors or NULL. */
struct convolution_case {
    struct convolution_shape shape;
    float *in, *filter, *factors;
    const float *first, *before; /**< 31 * 31 weights of the test's first call
                                      and of the one before; NULL in these */
    const float *first_factors, *factors_before; /**< 2 * 31 floats, likewise
                                                      of calls with factors */
};

/** Set what a filter that is not copied in each call would use, and keep this
 *  call's weights and factors for the calls after it. */
void convolution_keep_filters(struct convolution_case *c);

/** After a call: if its filter is not square and square ones were right in this
 *  test, that is the hint. */
void convolution_hint_sides(const struct convolution_shape *shape);

/** Try tiles that are read with another row stride, or without their halo.  A
 *  block has a thread for each pixel of its tile. */
void convolution_tile_mistakes(struct hypotheses *h,
                               const struct convolution_case *c);

/** Try sums that move from pixel to pixel, down an image or a strip of it. */
void convolution_strip_mistakes(struct hypotheses *h,
                                const struct convolution_case *c);

/** The last rows, whose windows lie across the edge, were never written; of an
 *  output whose context is a struct convolution_case. */
diagnosis_rule convolution_unwritten;

/** Try filters that are turned, and pixels that are taken elsewhere.
 *  @param context  a struct convolution_case */
mistakes convolution_mistakes;

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  A filter that lab 10 applies in another way.
 */
#ifndef GRADER_SUITES_10_CONVOLUTION_FILTER_MISTAKE_H
#define GRADER_SUITES_10_CONVOLUTION_FILTER_MISTAKE_H

#include <stdbool.h>

#include "mistakes.h"

/** What is wrong with the filter, or the pixels. */
struct convolution_mistake {
    const char *text, *hint;
    bool flip_x, flip_y, transpose; /**< the filter */
    bool stride_rows;               /**< its row stride is `rows` */
    bool stride_most;               /**< or that of the largest filter, and the
                                         memory after it is 0 */
    bool pitch_height;              /**< the image's row stride is its height */
    bool center_x, center_y;        /**< rows / 2 for x, columns / 2 for y */
    bool clamp_x_only, clamp_y_only;
    bool limit_x, limit_y;          /**< columns end at height - 1, rows at
                                         width - 1 */
    bool past_x, past_y;            /**< they end at width, and at height */
    bool row_only, column_only;     /**< of the factors */
    bool normalized;                /**< divided by the sum of the filter */
    enum { FLOATS, INTEGER_PRODUCTS, INTEGER_SUM }
        arithmetic;                 /**< fractions are lost */
    const float *filter;            /**< in place of the call's */
    int move_x, move_y;             /**< the window; 16: it starts at the
                                         pixel */
    int skip_x, skip_y;             /**< last columns and rows of the filter */
    enum { CLAMP, ZERO, CLAMP_INDEX, MIRROR, REFLECT, WRAP, UNDERFLOW } edge;
};

/** Try one mistake in all pixels. */
void convolution_try(struct hypotheses *h, const struct convolution_case *c,
                     const struct convolution_mistake *m);
/** Try factors in the wrong order or place, and one of the two passes alone. */
void convolution_factor_mistakes(struct hypotheses *h,
                                 const struct convolution_case *c);
/** Try the factors of an earlier call, which may have had others for rows and
 *  columns. */
void convolution_earlier_factors(struct hypotheses *h,
                                 const struct convolution_case *c);

#endif

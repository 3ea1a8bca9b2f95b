/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 11.
 */
#ifndef GRADER_SUITES_CONV_MISTAKES_H
#define GRADER_SUITES_CONV_MISTAKES_H

#include "conv_reference.h"
#include "grader/suite/hypothesis.h"

/** A convolution, in one direction. */
struct conv_call {
    const struct conv_shape *shape;              /**< its sizes */
    enum conv_array result;                      /**< what is computed */
    const float *const *operands;                /**< CONV_ARRAYS arrays */
};

/** A position in all three arrays. */
struct conv_place {
    int n, /**< image */
        c, /**< channel of x */
        k, /**< filter, and channel of y */
        p, /**< row of y */
        q, /**< column of y */
        r, /**< row of the filter */
        s; /**< column of the filter */
};

/** Keep the filters of a call that reads them: a later one may use them.
 *  @param w  those of a layer of this shape */
void conv_keep_filters(const struct conv_shape *shape, const float *w);
/** Try partial tiles, groups of images, other orders of w, and an index that an
 *  address lacks: part of conv_mistakes. */
void conv_index_mistakes(struct hypotheses *h, const struct conv_call *call);
/** Try windows past the last one or between the strides: part of conv_mistakes.
 */
void conv_window_mistakes(struct hypotheses *h, const struct conv_call *call);
/** Try arrays that are read with another size's stride: part of
 *  conv_mistakes. */
void conv_address_mistakes(struct hypotheses *h, const struct conv_call *call);
/** Try elements whose index was divided by the rows of their plane: part of
 *  conv_mistakes. */
void conv_split_mistakes(struct hypotheses *h, const struct conv_call *call);
/** Try windows that lie elsewhere, and sums without some terms.
 *  @param context  a struct conv_call */
mistakes conv_mistakes;

#endif

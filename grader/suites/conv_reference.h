/* SPDX-License-Identifier: MIT */
/** @file
 *  The three sums of lab 11 in double: what its suite compares with.
 */
#ifndef GRADER_SUITES_CONV_REFERENCE_H
#define GRADER_SUITES_CONV_REFERENCE_H

#include "labs/11_conv_layer/conv_layer.h"

/** The arrays of a layer: every product takes one element of two of them, and
 *  adds to the third. */
enum conv_array {
    CONV_X,     /**< x or its gradient */
    CONV_W,     /**< the filters or their gradient */
    CONV_Y,     /**< y or its gradient */
    CONV_ARRAYS /**< how many */
};

/** Elements of an array. */
size_t conv_size(const struct conv_shape *shape, enum conv_array array);
/** Elements of one of its planes. */
size_t conv_plane(const struct conv_shape *shape, enum conv_array array);
/** Sum up one array from the other two.
 *  @param      shape   allowed by the contract
 *  @param      result  which is summed up
 *  @param[in]  from    by enum conv_array; that of `result` is not read
 *  @param[out] sum     its elements */
void conv_reference(const struct conv_shape *shape, enum conv_array result,
                    const float *const from[CONV_ARRAYS], double *sum);

#endif

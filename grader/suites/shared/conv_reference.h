/* SPDX-License-Identifier: MIT */
/** @file
 *  The reference of lab 11: its three sums in double.
 */
#ifndef GRADER_SUITES_CONV_REFERENCE_H
#define GRADER_SUITES_CONV_REFERENCE_H

#include "labs/11_conv_layer/conv_layer.h"

/** The arrays of a layer.  Each product of two elements of two arrays is added
 *  to an element of the third. */
enum conv_array {
    CONV_X,     /**< x or its gradient */
    CONV_W,     /**< the filters or their gradient */
    CONV_Y,     /**< y or its gradient */
    CONV_ARRAYS /**< number of arrays */
};

/** Elements of an array. */
size_t conv_array_size(const struct conv_shape *shape, enum conv_array array);
/** Elements of one plane of an array. */
size_t conv_plane_size(const struct conv_shape *shape, enum conv_array array);
/** Compute one array from the other two.
 *  @param      shape     allowed by the contract
 *  @param      result    the array to compute
 *  @param[in]  operands  host arrays by enum conv_array; that of `result` is
 *      not read
 *  @param[out] sum       conv_array_size(shape, result) elements */
void conv_reference(const struct conv_shape *shape, enum conv_array result,
                    const float *const operands[CONV_ARRAYS], double *sum);

#endif

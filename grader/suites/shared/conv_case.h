/* SPDX-License-Identifier: MIT */
/** @file
 *  Helpers of lab 11's tests: a layer with its arrays, one call of the lab,
 *  and the comparison of its output.
 */
#ifndef GRADER_SUITES_CONV_CASE_H
#define GRADER_SUITES_CONV_CASE_H

#include <stdint.h>

#include "conv_reference.h"
#include "grader/suite/compare.h"

/** A convolution layer in a test. */
struct conv_layer {
    struct conv_shape shape;    /**< sizes */
    float *array[CONV_ARRAYS];  /**< host arrays by enum conv_array, freed
                                     with the test */
};

/** Create a layer whose arrays are zero. */
struct conv_layer conv_layer_create(const struct conv_shape *shape);
/** Fill the arrays with random values, lo <= x < hi. */
void conv_fill_random(const struct conv_layer *layer, double lo, double hi);
/** Sizes of an array of a layer, slowest first. */
void conv_array_dims(const struct conv_shape *shape, enum conv_array array,
                     size_t size[EXPECTED_DIMS]);
/** Name the case: the pass and the shape. */
void conv_name_case(const struct conv_layer *layer, enum conv_array result);
/** Number of products in the sum of one element of the result. */
double conv_terms_per_element(const struct conv_shape *shape,
                              enum conv_array result);
/** Check that conv_workspace() keeps the limit of the contract. */
void conv_check_workspace(const struct conv_shape *shape);
/** Call the lab once, with a workspace within that limit.
 *  @param[out] out  the result's array; NULL: discarded
 *  @return the lab's status */
int64_t conv_call_status(const struct conv_layer *layer,
                         enum conv_array result, float *out);
/** The same; the call must succeed.  @return its output */
float *conv_call_lab(const struct conv_layer *layer, enum conv_array result);
/** Compare an output of the lab with its reference.
 *  @param got   output of the lab
 *  @param want  reference in double */
void conv_compare(const struct conv_layer *layer, enum conv_array result,
                  const float *got, const double *want);
/** Call the lab and compare its output with the reference. */
void conv_check(const struct conv_layer *layer, enum conv_array result);
/** conv_check() of a layer with random values from -1 to 1. */
void conv_check_one(const struct conv_shape *shape, enum conv_array result);
/** conv_check_one() of several shapes, until one fails. */
void conv_check_all(const struct conv_shape *shapes, size_t count,
                    enum conv_array result);
/** conv_check_all() for the forward and both backward passes. */
void conv_check_directions(const struct conv_shape *shapes, size_t count);

#endif

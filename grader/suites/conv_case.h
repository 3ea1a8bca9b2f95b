/* SPDX-License-Identifier: MIT */
/** @file
 *  What the tests of lab 11 are made of: a layer with its arrays, one call of
 *  the lab for it, and what must come back.
 */
#ifndef GRADER_SUITES_CONV_CASE_H
#define GRADER_SUITES_CONV_CASE_H

#include "conv_reference.h"

/** The lab's functions, by their numbers in a frame. */
enum conv_function {
    CONV_FORWARD,         /**< conv_forward */
    CONV_BACKWARD_DATA,   /**< conv_backward_data */
    CONV_BACKWARD_FILTER, /**< conv_backward_filter */
    CONV_WORKSPACE        /**< conv_workspace */
};

/** A layer of one test. */
struct conv_layer {
    struct conv_shape shape;    /**< its sizes */
    float *array[CONV_ARRAYS];  /**< by enum conv_array, the suite's */
};

/** One with arrays of zeros. */
struct conv_layer conv_layer_of(const struct conv_shape *shape);
/** Fill its arrays with numbers in lo <= x < hi. */
void conv_fill(const struct conv_layer *layer, double lo, double hi);
/** Name the case: which array is summed up, and the shape. */
void conv_say(const struct conv_layer *layer, enum conv_array result);
/** Products in an element of the result. */
double conv_products(const struct conv_shape *shape, enum conv_array result);
/** One call of the lab.  @return its output */
float *conv_run(const struct conv_layer *layer, enum conv_array result);
/** Compare what came back with what should have. */
void conv_expect(const struct conv_layer *layer, enum conv_array result,
                 const float *got, const double *want);
/** Run and compare with the reference. */
void conv_check(const struct conv_layer *layer, enum conv_array result);
/** Likewise, of random numbers from -1 to 1. */
void conv_check_one(const struct conv_shape *shape, enum conv_array result);
/** Likewise, of several shapes, until one fails. */
void conv_check_all(const struct conv_shape *shapes, size_t count,
                    enum conv_array result);
/** Likewise forward, and both ways back. */
void conv_check_ways(const struct conv_shape *shapes, size_t count);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  A small case shown whole: the call's inputs, the expected values and the
 *  result side by side, each wrong element marked.
 */
#ifndef GRADER_SUITE_SMALL_CASE_H
#define GRADER_SUITE_SMALL_CASE_H

#include "diagnose.h"
#include "stub.h"

enum {
    SMALL_CASE_SIZE = 4096,  /**< bytes of the text: VALUES_SIZE */
    SMALL_CASE_LENGTH = 32,  /**< elements of a vector that is shown */
    SMALL_CASE_SIDE = 8,     /**< rows and columns of a matrix */
    SMALL_CASE_ARRAYS = 4    /**< inputs that are shown */
};

/** An input of the last call. */
struct small_array {
    const char *name;      /**< of the parameter: "d_a" */
    const void *data;      /**< host, elements of `type` */
    enum element type;     /**< of an element */
    size_t size[2];        /**< rows and columns; of a vector 0 and n */
};

/** Write the case as lines, without indentation.
 *
 *  A vector has a line an element, with the inputs of the same length before
 *  it; of one that is too long only elements that are wrong or should not be 0
 *  are written.  Matrices stand side by side where there is room.
 *
 *  @param evidence  the failed comparison
 *  @param inputs    of the call, SMALL_CASE_ARRAYS at most
 *  @param count     number of them
 *  @param columns   of a line, at most
 *  @param[out] text empty when an array is too large to be shown, or its
 *                   elements are of a type without digits */
void small_case_draw(const struct evidence *evidence,
                     const struct small_array *inputs, size_t count,
                     int columns, char text[SMALL_CASE_SIZE]);

/** Drop dimensions of 1.
 *  @param[out] squeezed  rows and columns; of a vector 0 and n
 *  @return false when more than two are left */
bool small_squeeze(const size_t *size, size_t dims, size_t squeezed[2]);

/** Has a vector or a matrix few enough elements to be shown? */
bool small_fits(const size_t size[2]);

/** An array of a call as an input to be shown.
 *  @return false when it is too large, or no vector or matrix */
bool small_array_of(const struct call_array *array, struct small_array *small);

#endif

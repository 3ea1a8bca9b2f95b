/* SPDX-License-Identifier: MIT */
/** @file
 *  Comparing what a lab wrote with a reference computed in double.
 *
 *  The tolerance is an error model, not a taste.  A float result that is the
 *  sum of `steps` rounded operations is off by at most about
 *  `steps * eps * scale`, where eps = 2^-24 is the error of one rounding
 *  relative to the magnitude it happens at, and `scale` bounds the magnitudes
 *  that occur (for a dot product: the sum of |a*b|).  Rounding errors have
 *  random signs, so for long sums sqrt(steps) is what is seen; a suite says
 *  `steps` from the longest chain its contract allows, and k = 2 is the margin.
 *
 *      |got - want| <= 2 * steps * 2^-24 * scale
 *
 *  A half-precision result is off by about 2^-11 * scale, which passes only
 *  where steps > 4096; such suites must bound differently.
 *  steps = 0 asks for the correctly rounded value, bit for bit (but 0 == -0).
 */
#ifndef GRADER_COMPARE_H
#define GRADER_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

/** Type of an element in the lab's array. */
enum element { FLOAT32, INT32, UINT8, FLOAT64 };

enum { EXPECTED_DIMS = 4 };

/** One output and what it should be. */
struct expected {
    const char *name;    /**< as in the contract: "c" */
    const void *got;     /**< host, elements of `type` */
    const double *want;  /**< host, as many doubles */
    enum element type;   /**< of an element of `got` */
    /** Row-major sizes, slowest first, 0 ends: {n}, {rows, columns},
     *  {height, width, channels}.  An empty array is {0}. */
    size_t size[EXPECTED_DIMS];
    double steps;        /**< rounded operations in one element; 0: exact */
    const double *scale; /**< magnitude for each element; NULL: |want| */
    /** An input of the same type and number of elements, or NULL: helps to
     *  explain ("holds the input, unchanged", "transposed"). */
    const void *input;
};

/** What a comparison found. */
struct comparison {
    size_t count;        /**< elements compared */
    size_t wrong;        /**< elements outside the tolerance */
    size_t first;        /**< index of the first of them */
    double got;          /**< its value */
    double want;         /**< what it should be */
    unsigned char *bad;  /**< host, count flags, 1 = wrong; caller frees */
};

/** Number of elements. */
size_t expected_count(const struct expected *expected);
/** Element `index` of an array of that type, as a double. */
double element_at(const void *array, enum element type, size_t index);
/** Bytes of one element. */
size_t element_bytes(enum element type);
/** Compare all elements.  NaN and infinities equal only themselves.
 *  @return false when memory ran out. */
bool compare(const struct expected *expected, struct comparison *out);
/** Write "c[17]" or "out[3][5]" for an element; at most `bytes` with NUL. */
void element_name(const struct expected *expected, size_t index, char *text,
                  size_t bytes);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Comparing an output of a lab with a reference computed in double.
 *
 *  The tolerance follows from an error model.  The error of a float result of
 *  `steps` rounded operations is at most about `steps * eps * scale`, where
 *  eps = 2^-24 is the relative error of one rounding and `scale` bounds the
 *  magnitudes of the intermediate results (for a dot product: the sum of
 *  |a*b|).  Rounding errors have random signs, so long sums show about
 *  sqrt(steps); a suite sets `steps` to the longest chain of operations that
 *  the contract allows, and k = 2 is the margin.
 *
 *      |got - want| <= 2 * steps * 2^-24 * scale
 *
 *  The error of a half-precision result is about 2^-11 * scale, which passes
 *  only where steps > 4096; such suites need other bounds.
 *  steps = 0 requires the correctly rounded value, bit for bit (but 0 == -0).
 */
#ifndef GRADER_COMPARE_H
#define GRADER_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

/** Element type of the lab's array. */
enum element {
    FLOAT32, /**< float */
    INT32,   /**< int */
    UINT8,   /**< unsigned char */
    FLOAT64, /**< double */
    UINT32,  /**< unsigned int */
    BITS32   /**< four bytes that are compared bit for bit */
};

struct hypotheses;
struct response;
struct evidence;
/** Try the values that a lab's usual mistakes give (see hypothesis.h). */
typedef void mistakes(struct hypotheses *h, const void *context);

enum { EXPECTED_DIMS = 4 };

/** One output and its expected values. */
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
    mistakes *mistakes;  /**< those of the lab, or NULL */
    const void *context; /**< argument of `mistakes` */
    /** Why were the wrong elements never written, if the output's sizes and the
     *  grid do not tell it?  A rule of diagnose.h, or NULL. */
    bool (*unwritten)(const struct evidence *evidence, char *text);
    const struct response *response; /**< what its elements are the sums of
                                          (response.h), or NULL */
    bool special;        /**< computed from infinities or NaN */
    bool is_vague;       /**< other tests tell more of the same elements */
    bool is_moved;       /**< from other places: the thread of an element's
                              index may have stored another one */
};

/** Result of a comparison. */
struct comparison {
    size_t count;        /**< elements compared */
    size_t wrong;        /**< elements outside of the tolerance */
    size_t first;        /**< index of the first of them */
    double got;          /**< its value */
    double want;         /**< its expected value */
    unsigned char *wrong_mask; /**< host, `count` flags; caller frees */
};

/** Number of elements. */
size_t expected_count(const struct expected *expected);
/** Element `index` of an array of that type, as a double. */
double element_value(const void *array, enum element type, size_t index);
/** Bytes of one element. */
size_t element_bytes(enum element type);
/** Is it a floating-point type? */
bool is_real(enum element type);
/** Largest error that element `index` may have. */
double element_tolerance(const struct expected *expected, size_t index);
/** Write the number as what it is: integers without a fraction, bits in
 *  hexadecimal.
 *  @param digits  significant digits of a floating-point number */
void element_format(enum element type, double value, int digits, char *text,
                    size_t bytes);
/** Compare all elements.  NaN and infinities equal only themselves.
 *  @return false when memory ran out. */
bool compare(const struct expected *expected, struct comparison *out);
/** Write "c[17]" or "out[3][5]" for an element; at most `bytes` with NUL. */
void element_name(const struct expected *expected, size_t index, char *text,
                  size_t bytes);

#endif

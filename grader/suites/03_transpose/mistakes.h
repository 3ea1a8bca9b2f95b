/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 03.
 */
#ifndef GRADER_SUITES_03_TRANSPOSE_MISTAKES_H
#define GRADER_SUITES_03_TRANSPOSE_MISTAKES_H

#include "grader/suite/hypothesis.h"

/** A matrix, to be transposed. */
struct matrix {
    const float *in;   /**< its elements */
    enum element type; /**< of these: floats, or their bits */
    size_t rows, cols; /**< of the input */
};

/** Try tiles that are transposed in part, swizzles, strides and bounds checks
 *  that are wrong.
 *  @param context  a struct matrix */
mistakes transpose_mistakes;

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  The usual mistakes of lab 01, for the diagnosis of wrong sums. */
#ifndef SUITE_01_MISTAKES_H
#define SUITE_01_MISTAKES_H

#include "grader/suite/hypothesis.h"

/** The inputs of a call. */
struct vectors {
    const float *a; /**< n floats */
    const float *b; /**< n floats */
    size_t n;       /**< elements */
};

/** Try them on an output.
 *  @param context  a struct vectors */
void vector_add_mistakes(struct hypotheses *h, const void *context);

#endif

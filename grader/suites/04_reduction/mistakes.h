/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 04.
 */
#ifndef GRADER_SUITES_04_REDUCTION_MISTAKES_H
#define GRADER_SUITES_04_REDUCTION_MISTAKES_H

#include "grader/suite/hypothesis.h"

/** Elements, to be reduced. */
struct reduction_input {
    const float *in; /**< the elements */
    size_t n;        /**< how many */
    int op;          /**< REDUCTION_SUM or REDUCTION_MAX */
    size_t offset;   /**< of d_in, in bytes after a multiple of 16 */
};

/** Try comparisons with NaN, if this is a maximum and there is one.
 *  @return false: try other mistakes */
bool try_maximum_of_nans(struct hypotheses *h,
                         const struct reduction_input *input);
/** Try sums of some blocks' results: the last block, or a second pass of one
 *  block, combines too few. */
void try_partial_results(struct hypotheses *h,
                         const struct reduction_input *input);
/** Try sums of long chains of additions, of a few threads or of many partial
 *  results, and sums whose tail begins as if there were no head. */
void try_chains_and_tails(struct hypotheses *h,
                          const struct reduction_input *input);
/** Try elements that are left out, and other operations.
 *  @param context  a struct reduction_input */
mistakes reduction_mistakes;

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of the matrix products, labs 07 to 09.
 */
#ifndef GRADER_SUITES_GEMM_MISTAKES_H
#define GRADER_SUITES_GEMM_MISTAKES_H

#include "gemm.h"
#include "grader/suite/hypothesis.h"

/** Try sums of other terms, operands that are transposed, and alpha and beta
 *  in other places.
 *  @param context  the struct gemm, after gemm_reference() */
mistakes gemm_mistakes;

/** The sums of all elements, without alpha and beta.
 *  @return to be freed; NULL: no memory */
double *gemm_sums(const struct hypotheses *h, const struct gemm *g);
/** Try alpha and beta in other places, and other elements of the old C.
 *  @param sums  those of all elements, without alpha and beta */
void gemm_factor_mistakes(struct hypotheses *h, const struct gemm *g,
                          const double *sums);
/** Try other indices of A and of B: when nothing else fits.
 *  @param sums  as above */
void gemm_index_mistakes(struct hypotheses *h, const struct gemm *g,
                         const double *sums);
/** Try 0, or beta C, where k is less than a tile: what other mistakes give,
 *  too, so only when nothing else fits.
 *  @param sums  as above */
void gemm_no_term(struct hypotheses *h, const struct gemm *g,
                  const double *sums);
/** Try sums that a block does not set to 0 between two of its tiles. */
void gemm_walk_mistakes(struct hypotheses *h, const struct gemm *g);
/** With k = 0: what is not 0 was never set, and the old C stays where nothing
 *  is launched. */
void gemm_empty_sum(struct hypotheses *h, const struct gemm *g);

#endif

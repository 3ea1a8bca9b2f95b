/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 09: the order of registers in a fragment.
 */
#ifndef GRADER_SUITES_FRAGMENT_MISTAKES_H
#define GRADER_SUITES_FRAGMENT_MISTAKES_H

#include "grader/suites/shared/gemm_mistakes.h"
#include "grader/suites/shared/gemm_terms.h"

/** Try the results and the operands of a lane of mma.sync in other orders. */
void fragment_mistakes(struct hypotheses *h, const struct gemm *g);

#endif

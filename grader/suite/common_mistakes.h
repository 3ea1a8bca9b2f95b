/* SPDX-License-Identifier: MIT */
/** @file
 *  Mistakes that any lab can have: indices, signs, factors, old results.
 */
#ifndef GRADER_COMMON_MISTAKES_H
#define GRADER_COMMON_MISTAKES_H

#include "hypothesis.h"

/** Try them all. */
void try_common_mistakes(struct hypotheses *h);
/** Those of bits: numbers that a narrower counter holds, and floats that were
 *  not only copied.  Part of try_common_mistakes(). */
void try_bit_mistakes(struct hypotheses *h);
/** Numbers that the workspace held before the call, added to a sum.  Part of
 *  try_common_mistakes(). */
void try_workspace_mistakes(struct hypotheses *h);

#endif

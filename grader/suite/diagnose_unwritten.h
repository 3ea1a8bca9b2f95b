/* SPDX-License-Identifier: MIT */
/** @file
 *  Diagnosis: wrong elements that were never written, or that were read from
 *  memory that was never written.
 */
#ifndef GRADER_DIAGNOSE_UNWRITTEN_H
#define GRADER_DIAGNOSE_UNWRITTEN_H

#include "diagnose.h"

/** Has the element what the array held before the call, bit for bit?  The
 *  evidence has a pattern. */
bool evidence_is_poison(const struct evidence *e, size_t i);
/** Was nothing stored to any wrong element, of an array or of the device memory
 *  that was copied to it? */
bool evidence_all_unwritten(const struct evidence *e);
/** Do all elements hold the sum of the expected value and of what was there
 *  before, which hides one of the two where the other is large? */
bool evidence_is_added(const struct evidence *e);
/** Threads of the last launch in all dimensions; 0: it was not counted. */
uint64_t launched_threads(const struct facts *facts);
/** The launch has fewer threads than elements: those past them are wrong. */
diagnosis_rule too_few_threads;
/** They were added to a fragment of wmma that was not filled. */
diagnosis_rule read_unfilled_fragment;
/** All others: VAGUE, or UNKNOWN when the wrong elements were written with
 *  other values.
 *  @param[out] hint  what to do about it; NULL: the test's hint, "": none */
enum certainty diagnose_unwritten(const struct evidence *evidence, char *text,
                                  const char **hint);

#endif

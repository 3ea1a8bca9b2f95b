/* SPDX-License-Identifier: MIT */
/** @file
 *  Diagnosis: wrong elements that were never written, or that were read from
 *  memory that was never written.
 */
#ifndef GRADER_DIAGNOSE_UNWRITTEN_H
#define GRADER_DIAGNOSE_UNWRITTEN_H

#include "diagnose.h"

/** The launch has fewer threads than elements: those past them are wrong. */
diagnosis_rule too_few_threads;
/** Kernels ran, and nothing was copied to the host. */
diagnosis_rule not_copied_back;
/** The copy to the host had fewer bytes: as many as there are elements. */
diagnosis_rule copied_in_part;
/** They were added to a fragment of wmma that was not filled. */
diagnosis_rule read_unfilled_fragment;
/** All others: VAGUE, or UNKNOWN when the wrong elements were written with
 *  other values.
 *  @param[out] hint  what to do about it; NULL: the test's hint, "": none */
enum certainty diagnose_unwritten(const struct evidence *evidence, char *text,
                                  const char **hint);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  What sets the wrong elements apart: the line that stored them, or what the
 *  threads or blocks that stored them executed, where those of the correct
 *  elements did otherwise.  A tail, an edge, a branch that is rarely taken.
 */
#ifndef GRADER_SUITE_STORED_H
#define GRADER_SUITE_STORED_H

#include "diagnose.h"
#include "run.h"

/** Compare who stored wrong elements with who stored correct ones.  Only an
 *  instrumented runner knows it, of arrays in device memory.
 *  @param evidence  the failed comparison, of the last call
 *  @param[out] text  a place in the source and a sentence, as of a finding:
 *                    "add.cu:17:9: note: the wrong elements ..."; empty when
 *                    nothing is known, or makes no difference */
void suite_compare_stores(const struct evidence *evidence,
                          char text[STORED_SIZE]);

#endif

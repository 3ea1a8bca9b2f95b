/* SPDX-License-Identifier: MIT */
/** @file
 *  Which lines of a kernel stored the wrong elements, where the correct ones
 *  were stored by others: a tail, an edge, a branch that is rarely taken.
 */
#ifndef GRADER_SUITE_STORED_H
#define GRADER_SUITE_STORED_H

#include "diagnose.h"
#include "run.h"

/** Compare the lines that stored wrong elements with those that stored correct
 *  ones.  Only an instrumented runner knows them, of arrays in device memory.
 *  @param evidence  the failed comparison, of the last call
 *  @param[out] text  a place in the source and a sentence, as of a finding:
 *                    "add.cu:17:9: note: all wrong elements ..."; empty when
 *                    the lines are not known, or make no difference */
void suite_compare_stores(const struct evidence *evidence,
                          char text[STORED_SIZE]);

#endif

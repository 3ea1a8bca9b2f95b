/* SPDX-License-Identifier: MIT */
/** @file
 *  The cases of a test that passed before the one that failed: what all of them
 *  have in common with it is no cause.
 */
#ifndef GRADER_PASSED_H
#define GRADER_PASSED_H

#include "state.h"

/** A case ends without a failure: remember its text, if it has made a call, and
 *  unless it is that of the case before it. */
void note_passed_case(struct suite_state *state);
/** A case has failed: store a sentence on those before it in the outcome. */
void name_passed_cases(const struct suite_state *state);

#endif

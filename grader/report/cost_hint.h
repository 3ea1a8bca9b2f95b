/* SPDX-License-Identifier: MIT */
/** @file
 *  The hint about a budget that has not all points.
 */
#ifndef GRADER_COST_HINT_H
#define GRADER_COST_HINT_H

#include "grader/grade/grade.h"
#include "grader/lab/lab.h"

/** Choose the hint of a budget by what the kernels are like.
 *  @param watched    the case whose counts the budget limits
 *  @param[out] text  MESSAGE_SIZE bytes: that blocks are smaller than a warp,
 *                    if they are; else the settings' hint, or nothing */
void cost_hint(const struct lab_budget *budget,
               const struct watched_case *watched, char *text);

/** The first budget that has not all points, or NULL.  One that waits for a
 *  count that could not be measured has no hint. */
const struct lab_budget *next_cost(const struct lab *lab,
                                   const struct report *report);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Drawings of the learner's page: the ladder, and the history of tries.
 */
#ifndef GRADER_REPORT_GRADE_CHARTS_H
#define GRADER_REPORT_GRADE_CHARTS_H

#include "common/base/html.h"
#include "grader/grade/grade.h"

/** Draw the steps of the lab's ladder by their modeled speedup over the
 *  baseline, as docs/results/ladders-soft.md has them, and the submission's;
 *  where that is not known, a table of the steps' points.
 *  @param speedup  the submission's, modeled for the same card; 0: none */
void chart_ladder(struct html *h, const struct lab *lab, double speedup);
/** Draw the points of each try in the journal, and when hints were read;
 *  nothing before the first try. */
void chart_history(struct html *h, const struct lab *lab);

#endif

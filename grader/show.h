/* SPDX-License-Identifier: MIT */
/** @file
 *  A report on the terminal: plain text, 80 columns.
 */
#ifndef GRADER_SHOW_H
#define GRADER_SHOW_H

#include "grade.h"

/** Said where the points of a card's grade are shown. */
#define SHOW_SOFT_ONLY "checks and costs are graded on the soft device only"

/** First line: which lab, which device. */
void show_head(const struct task *task);
/** A test's line. */
void show_test(const struct lab *lab, size_t test,
               const struct outcome *outcome);
/** What follows the tests: speed, the first failure in words, the score, what
 *  to do next. */
void show_report(const struct task *task, const struct report *report,
                 bool verbose);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Printing a report on the terminal: plain text, 80 columns.
 */
#ifndef GRADER_SHOW_H
#define GRADER_SHOW_H

#include "grader/grade/grade.h"

/** Printed below the points of a grade on a card. */
#define SHOW_SOFT_ONLY "checks and costs are graded on the soft device only"

/** Print the first line: lab and device. */
void show_head(const struct task *task);
/** Print the line of a test. */
void show_test(const struct lab *lab, size_t test,
               const struct outcome *outcome);
/** Print all that follows the tests: checks, budgets, speed, the first failure
 *  with its hint, the score, and what to do next. */
void show_report(const struct task *task, const struct report *report,
                 bool verbose);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Printing a report on the terminal: plain text, 80 columns.
 */
#ifndef GRADER_SHOW_H
#define GRADER_SHOW_H

#include "grader/grade/grade.h"

/** Print the first line: lab and device. */
void show_head(const struct task *task);
/** Print the line of a test. */
void show_test(const struct lab *lab, size_t test,
               const struct outcome *outcome);
/** Print all that follows the tests: checks, budgets, speed, the first failure
 *  with its hint, the score, and what to do next. */
void show_report(const struct task *task, const struct report *report,
                 bool verbose);
/** Print the timed runs (print_speed.c). */
void show_speed(const struct task *task, const struct report *report);
/** Print the points of timed runs when they were not made; nothing when they
 *  have none (print_speed.c). */
void show_untimed(const struct task *task, const struct report *report);

/** "1.05 x modeled": the speedup over the baseline, measured where the settings
 *  have a timed run; on the soft device modeled, where the model ranks the
 *  ladder, or a ratio of counts; "-" without any (print_speed.c). */
void describe_speedup(const struct task *task, const struct report *report,
                      char *text, size_t bytes);
/** Print what was known when a grade was interrupted. */
void show_interrupted(const struct task *task, const struct report *report);

#endif

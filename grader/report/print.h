/* SPDX-License-Identifier: MIT */
/** @file
 *  Printing a report on the terminal: plain text, 80 columns.
 */
#ifndef GRADER_SHOW_H
#define GRADER_SHOW_H

#include "grader/grade/grade.h"
#include "grader/locate/locate.h"
#include "grader/suite/printed.h"

/** Say in the status line what is done meanwhile: "building add.cu, then 2
 *  cases ...".
 *  @param what  "case" */
void show_busy(const char *file, size_t count, const char *what);
/** The same of the part of a grade that begins: "running small ...". */
void show_begin(const char *part);
/** For process_tell_long_calls(): the same while a call of that part takes
 *  long: "running small: 5 s, ended after 20 s ...". */
void show_long_call(double seconds, double limit);
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
/** Print the end of a program's stderr, at most `lines` lines; nothing when it
 *  is empty (print_output.c). */
void show_printed(const char *who, const char *printed, int lines);
/** Print what the submission wrote to stdout, by test and case: PRINTED_LINES
 *  lines, or with `verbose` as many for each test (print_output.c). */
void show_output(const struct task *task, const struct report *report,
                 bool verbose);
/** Print the small wrong case of the failure that is shown, else of the first
 *  test that has one, its marks in red (print_output.c). */
void show_values(const struct task *task, const struct report *report,
                 const struct outcome *shown);
/** Print the lab's question, once all tests pass (print_output.c). */
void show_question(const struct lab *lab, const struct report *report);
/** Print the compiler's warnings (print_output.c). */
void show_warnings(const struct report *report);
/** Print the failing test that says most about its wrong elements, else the
 *  first one: its values, what it printed, what is left to do, and a hint; with
 *  `verbose` also a line of each other failing test (print_failure.c). */
void show_failure(const struct task *task, const struct report *report,
                  bool verbose);
/** The hint that show_failure() prints.
 *  @param      room   MESSAGE_SIZE bytes, for a hint that is made
 *  @param[out] about  what it is about, behind "Hint"; set with a hint
 *  @return     "" when there is none (print_failure.c) */
const char *failure_hint(const struct task *task, const struct report *report,
                         char *room, const char **about);
/** What show_failure() says of the cause of a failure.
 *  @param[out] hint  at most `bytes`: its hint, or the message, if that tells
 *                    the cause, or the most serious finding; empty when the
 *                    cause is not known
 *                    (print_failure.c) */
void find_cause_hint(const struct task *task, const struct report *report,
                     char *hint, size_t bytes);
/** May a finding be the cause of wrong results?  A leak is not
 *  (print_failure.c). */
bool has_cause(const struct report *report);
/** Did it find a race?  That explains any wrong result, whatever pattern it
 *  happens to show. */
bool has_race(const struct report *report);
/** Did it find what explains any wrong result: a race, or a read of memory that
 *  nothing had written (print_failure.c)? */
bool explains_all(const struct report *report);
/** Did a function return the handout's own error (print_failure.c)? */
bool is_to_do(const struct outcome *outcome);
/** Does the failure that is shown have a message that tells the cause, so that
 *  findings come after it (print_failure.c)? */
bool is_explained(const struct task *task, const struct report *report);
/** Say in the status line how far the search for a mistake is. */
void show_locating(size_t tried, size_t all);
/** Print the command that looks for the line, where nothing is known of the
 *  cause (print_located.c). */
void show_search(const struct task *task);
/** Print the places that it found (print_located.c). */
void show_located(const char *source, const struct located *located);
/** Print what was known when a grade was interrupted. */
void show_interrupted(const struct task *task, const struct report *report);

#endif

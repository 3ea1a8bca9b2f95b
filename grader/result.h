/* SPDX-License-Identifier: MIT */
/** @file
 *  result.json: the one thing that grading writes (docs/pages/result.md).
 */
#ifndef GRADER_RESULT_H
#define GRADER_RESULT_H

#include "grade.h"

/** Version of the format; a reader should refuse what it does not know. */
#define RESULT_SCHEMA "warpbook-result/1"

/** Make the text of result.json.  @return malloced, or NULL without memory */
char *result_text(const struct task *task, const struct report *report);
/** Write it to a file, whole or not at all; "-" is stdout.
 *  @return false after one line on stderr */
bool result_write(const char *path, const struct task *task,
                  const struct report *report);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  result.json, described in docs/pages/result.md.
 */
#ifndef GRADER_RESULT_H
#define GRADER_RESULT_H

#include "common/base/output_file.h"
#include "grader/grade/grade.h"

/** Version of the format; readers should reject other versions. */
#define RESULT_SCHEMA "warpbook-result/1"

/** The text of result.json.  @return malloced; NULL when memory ran out */
char *result_to_json(const struct task *task, const struct report *report);
/** Write it to a file that was opened before the submission ran;
 *  OUTPUT_FILE_NONE is stdout.
 *  @return false with errno set */
bool result_write(const struct output_file *file, const struct task *task,
                  const struct report *report);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  The learner's page of one grade: points, tests, findings in the source, the
 *  lab's ladder with the learner's own point, and the history of tries.  One
 *  file without scripts that loads nothing else.
 */
#ifndef GRADER_REPORT_GRADE_PAGE_H
#define GRADER_REPORT_GRADE_PAGE_H

#include "grader/grade/grade.h"

/** Write the page, replacing the file atomically.
 *  @param path    of the page
 *  @param task    what was graded
 *  @param report  its result
 *  @return false with errno set */
bool grade_page_write(const char *path, const struct task *task,
                      const struct report *report);

#endif

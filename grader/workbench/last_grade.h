/* SPDX-License-Identifier: MIT */
/** @file
 *  What `watch` needs of the result of a grade.
 */
#ifndef GRADER_WORKBENCH_LAST_GRADE_H
#define GRADER_WORKBENCH_LAST_GRADE_H

#include <stdbool.h>

/** How a grade ended. */
struct last_grade {
    char failing[64]; /**< the first failing test, or empty */
    bool is_wrong;    /**< by its outputs: that does not need the vector code of
                       *   -O3, as the crash of a misaligned access does */
    bool is_complete; /**< it had full points */
};

/** Read the result that a grade left; of one that left none, as of a file that
 *  does not build, there is no failing test.
 *  @param path  result.json */
void last_grade_read(const char *path, struct last_grade *last);

#endif

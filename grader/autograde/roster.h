/* SPDX-License-Identifier: MIT */
/** @file
 *  The roster: the students of a course.
 *
 *  A CSV file whose first line names its columns.  Gradebooks exported from
 *  Canvas, grading worksheets of Moodle and rosters of Gradescope are rosters
 *  as they are; other columns are ignored.  See docs/pages/autograde.md.
 */
#ifndef AUTOGRADE_ROSTER_H
#define AUTOGRADE_ROSTER_H

#include "download.h"

/** Submissions that a folder has for one student, as roster_expect() counts
 *  them. */
struct roster_claim {
    int exact; /**< by number, address, login, or the name as it is written */
    int alike; /**< by the same words, or but for middle names */
};

/** Students in the order of the file; {0} is empty. */
struct roster {
    struct student *student;    /**< malloced */
    struct roster_claim *claim; /**< one a student; malloced */
    size_t count;               /**< of students */
};

/** Read a roster.
 *  @param[out] roster  free with roster_free()
 *  @return false with "PATH:LINE: cause", or "PATH: cause" */
bool roster_read(const char *path, struct roster *roster,
                 struct failure *failure);
/** Free what roster_read() made. */
void roster_free(struct roster *roster);

#endif

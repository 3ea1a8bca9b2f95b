/* SPDX-License-Identifier: MIT */
/** @file
 *  The students of a gradebook: shared by gradebook.c and gradebook_rows.c.
 */
#ifndef AUTOGRADE_GRADEBOOK_ROWS_H
#define AUTOGRADE_GRADEBOOK_ROWS_H

#include "gradebook.h"

/** The row of a student.  @return NULL when there is none; valid until rows
 *  are added */
struct row *gradebook_find_row(struct gradebook *book, const char *id);
/** Add the rows of all students of the roster and of the entries, in the order
 *  of ids.
 *  @param student  keep this one alone, or NULL
 *  @return false: out of memory */
bool gradebook_add_rows(struct gradebook *book, const char *student);
/** Match all entries with a roster that autograde has not read: an entry that
 *  fits two students belongs to none.  Submissions of one lab are matched
 *  together: Moodle's number of a student is another one in each assignment.
 *  @return false: out of memory */
bool gradebook_match_again(struct gradebook *book);
/** Is the entry that of a stranger whose file came again under the name of a
 *  student of the roster, after it was read for the last time?  Then it was
 *  renamed, and has no row. */
bool gradebook_is_renamed(const struct gradebook *book, size_t index);
/** The student of an entry: by today's roster, else as the entry says.
 *  @param      index      of the entry
 *  @param[out] in_roster  is the student in today's roster? */
void gradebook_resolve(const struct gradebook *book, size_t index,
                       struct student *student, bool *in_roster);

#endif

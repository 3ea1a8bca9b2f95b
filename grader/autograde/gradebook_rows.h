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
/** The student of an entry: by today's roster, else as the entry says.
 *  @param[out] in_roster  is the student in today's roster? */
void gradebook_resolve(const struct gradebook *book, const json_t *entry,
                       struct student *student, bool *in_roster);

#endif

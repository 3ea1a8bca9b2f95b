/* SPDX-License-Identifier: MIT */
/** @file
 *  The order of a student's attempts at a lab, and their lateness: for
 *  gradebook.c.
 */
#ifndef AUTOGRADE_GRADEBOOK_ATTEMPTS_H
#define AUTOGRADE_GRADEBOOK_ATTEMPTS_H

#include "gradebook.h"

/** Add a note; notes are joined by semicolons and cut at NOTES_BYTES.
 *  @param format  with one %s for `what` */
void cell_note(struct cell *cell, const char *format, const char *what);
/** Did the grader fail to read this submission, rather than the student? */
bool entry_is_internal(const json_t *entry);
/** Of a cell's attempt and a further one keep the later.  When nothing says
 *  which one that is, and they differ, the other one becomes the cell's
 *  `rival`. */
void cell_take_later(struct cell *cell, const json_t *entry);
/** Without the order of two attempts there is no mark: sets state and verdict,
 *  with a note.  @return false: the cell has no rival */
bool cell_refuse_rival(struct cell *cell);
/** How late the attempt was, what it keeps of its points, and notes on both. */
void cell_set_late(const struct course_lab *lab, struct cell *cell);

#endif

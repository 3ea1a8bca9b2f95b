/* SPDX-License-Identifier: MIT */
/** @file
 *  The submission's lines in a report on the terminal.
 *
 *  Places begin a line, as editors expect it (vim's `errorformat`, the problem
 *  matcher $gcc of VS Code):
 *
 *      labs/01_vector_add/vector_add.cu:41:10: error: access outside an ...
 *         41 |     c[i] = a[i] + b[i];
 *            |          ^
 */
#ifndef GRADER_REPORT_SOURCE_VIEW_H
#define GRADER_REPORT_SOURCE_VIEW_H

#include "grader/grade/watch.h"

/** Print a message that may begin with a place, as "vector_add.cu:27:62: error:
 *  ...": a place in the submission gets its path from the working folder, and
 *  its line is printed below.  Other messages are wrapped, indented by 2.
 *  @param source  path of the submission */
void show_placed(const char *source, const char *message);
/** Print a finding: place, kind, line, message, block, thread, other place. */
void show_finding(const char *source, const struct finding *finding);
/** Print which of the handout's TODO comments are left, in the order of their
 *  numbers, the first one with its words; nothing if none. */
void show_todo(const char *source);
/** The path of a file as seen from the working folder, where it is below.
 *  @return part of `path` */
const char *path_from_here(const char *path);

#endif

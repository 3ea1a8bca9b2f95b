/* SPDX-License-Identifier: MIT */
/** @file
 *  Lines of a profile's text, as wide as the terminal.
 */
#ifndef SOFTGPU_TEXT_WRAP_H
#define SOFTGPU_TEXT_WRAP_H

#include <stdio.h>

struct profile_report;

/** Columns of a line: the report's, 80 where it says none, not below 44. */
int profile_columns(const struct profile_report *report);
/** Tables and drawings of this width leave out what they can do without. */
enum { PROFILE_NARROW = 59 };
/** Print a paragraph, wrapped between words.  A number and "%" stay together.
 *  @param out      where to
 *  @param mark     printed before it; the other lines are indented behind it
 *  @param text     the paragraph
 *  @param columns  of a line */
void profile_print_wrapped(FILE *out, const char *mark, const char *text,
                           int columns);
/** Print a report; in a narrow terminal lines that are still longer are wrapped
 *  behind their indentation.
 *  @param out     where to
 *  @param report  passed to `print`
 *  @param print   writes the lines */
void profile_print_fitted(FILE *out, const struct profile_report *report,
                          void (*print)(FILE *out,
                                        const struct profile_report *report));

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Text for people: cut to fit, cleaned, wrapped.
 */
#ifndef GRADER_TEXT_H
#define GRADER_TEXT_H

#include <stddef.h>
#include <stdio.h>

/** Like snprintf, for texts that may be cut: always ends with a NUL, and not
 *  within a character of UTF-8.
 *  @return `text` */
char *text_format(char *text, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** Bytes fit for a terminal, and for JSON: keeps line ends and characters of
 *  UTF-8, replaces the single quotation marks of a compiler's messages by ',
 *  and each byte of other controls, of characters that turn or hide text, and
 *  of what is not UTF-8 by '?'. */
void make_printable(char *text);
/** Replace each run of white space by one space, and drop it at both ends. */
void text_join_lines(char *text);
/** Columns of a line of text: 80, in a narrow terminal fewer, not below 30. */
int text_columns(FILE *out);
/** Print text wrapped at text_columns(), each line after `indent` spaces. */
void text_wrap(FILE *out, int indent, const char *text);
/** Like text_wrap(), behind a mark of `indent` columns that was printed. */
void text_wrap_after(FILE *out, int indent, const char *text);
/** The last component of a path. */
const char *base_name(const char *path);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Characters of UTF-8, as names of files and comments have them.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/** The bytes of the valid character at `at`, 1 to 4; 0: it is none, or the
 *  text ends there. */
size_t utf8_length(const char *at);
/** The bytes of a character that leaves the terminal and the order of the
 *  text as they are: utf8_length(), but 0 for controls, for marks without
 *  width and for those that turn the direction of text. */
size_t utf8_printable(const char *at);
/** The columns that a terminal shows the first `bytes` of a text in: 2 for wide
 *  characters, 0 for accents that combine. */
int utf8_columns(const char *text, size_t bytes);
/** Drop a character at the end of which only the first bytes are there, as
 *  after the text was cut. */
void utf8_trim(char *text);

#endif

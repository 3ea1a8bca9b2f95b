/* SPDX-License-Identifier: MIT */
/** @file
 *  Words of a CUDA C source, beside its comments and literals.
 */
#ifndef GRADER_SOURCE_WORDS_H
#define GRADER_SOURCE_WORDS_H

#include <stdbool.h>

/** The end of a comment or literal that begins here, or `at`. */
const char *skip_text(const char *at);
/** Can the character be in an identifier? */
bool is_name_char(char c);
/** Does this word stand here, and not within a longer one?
 *  @param begin  of the source */
bool is_word(const char *begin, const char *at, const char *word);
/** The line of a place in the source, from 1. */
int line_of(const char *text, const char *at);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Names and texts that students chose, made safe to store and to print.
 */
#ifndef AUTOGRADE_TEXT_CLEAN_H
#define AUTOGRADE_TEXT_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

/** Is this text UTF-8? */
bool is_utf8(const char *text);
/** Is this text UTF-8 without characters that control a terminal or the
 *  direction of text? */
bool is_clean_utf8(const char *text);
/** A text as UTF-8, if it is not already: spreadsheets write Windows-1252.
 *  @param text  malloced; freed when another one is returned
 *  @return malloced; NULL: out of memory */
char *text_to_utf8(char *text);
/** Copy a text of unknown origin; each control character becomes '?', each byte
 *  of a control of bidirectional text, and each byte that is not ASCII when the
 *  text is not UTF-8.
 *  @param bytes  of `to`; the copy is cut to fit, between characters
 *  @return `to` */
char *clean_copy(char *to, size_t bytes, const char *from);
/** Copy the name of a file or folder.  One that is not UTF-8 is read as
 *  Windows-1252, so that names that differ stay different; then
 *  clean_copy(). */
char *name_copy(char *to, size_t bytes, const char *from);
enum { NAME_COLUMN = 100 /**< bytes for name_column() */ };

/** A name, or its beginning, with blanks up to 24 columns of a terminal.
 *  @return `text` */
char *name_column(char text[NAME_COLUMN], const char *name);
/** Are both texts equal when letters of ASCII are compared without case? */
bool equals_folded(const char *a, const char *b);

#endif

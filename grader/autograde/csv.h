/* SPDX-License-Identifier: MIT */
/** @file
 *  Comma-separated values (RFC 4180): rosters are read, gradebooks written.
 */
#ifndef AUTOGRADE_CSV_H
#define AUTOGRADE_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "common/base/failure.h"

enum { CSV_COLUMNS = 256 };

/** A reader of rows; begin with csv_open(). */
struct csv {
    const char *path; /**< for messages */
    char *at;         /**< what is not read yet; changed while reading */
    char separator;   /**< ',', ';' or a tab */
    int line;         /**< of the row that was read last, from 1 */
    int next_line;    /**< line where the next row begins */
    char *field[CSV_COLUMNS]; /**< fields of that row, without quotes */
    int fields;               /**< how many */
};

/** Begin to read.  The separator is the one that the first line has most of.
 *  @param text  the file's text, which must outlive the reader; changed */
void csv_open(struct csv *csv, const char *path, char *text);
/** Read the next row that has a field with more than blanks.
 *  @param[out] failure  "PATH:LINE: cause" when the file is broken, else empty
 *  @return false at the end and after a failure */
bool csv_next(struct csv *csv, struct failure *failure);
/** Index of the first column of a header row that has one of these names, or
 *  -1.  Case is ignored.
 *  @param names  NULL-terminated */
int csv_column(const struct csv *csv, const char *const *names);

/** Write one field, with quotes where it needs them.  A text that a spreadsheet
 *  would take for a formula (after blanks it begins with = + - @, a tab or a line
 *  end) gets an apostrophe before it; other control characters become '?'. */
void csv_write(FILE *out, const char *text);

#endif

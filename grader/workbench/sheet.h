/* SPDX-License-Identifier: MIT */
/** @file
 *  A lab's sheet, README.md, for a terminal: the text before the first section
 *  and the sections, each below its "## " heading.
 *
 *  Paragraphs and lists are wrapped at text_columns(), code stays as it is, and
 *  what a page folds (hints, answers, the counts of the ladder) is named only.
 */
#ifndef GRADER_WORKBENCH_SHEET_H
#define GRADER_WORKBENCH_SHEET_H

#include <stdbool.h>
#include <stdio.h>

enum { SHEET_SECTIONS = 9 }; /**< sections of a sheet, at most */

/** A sheet, cut into sections. */
struct sheet {
    char *text;  /**< malloced; sheet_free() */
    char *intro; /**< title and first paragraphs, in `text` */
    char *heading[SHEET_SECTIONS]; /**< "Idea" */
    char *section[SHEET_SECTIONS]; /**< below it */
    int count;   /**< number of sections */
};

/** Read the sheet of a lab.
 *  @param stem  "01_vector_add"
 *  @return false: errno says why */
bool sheet_read(const char *stem, struct sheet *sheet);
/** The section whose heading begins so, in capitals or not, or that has this
 *  number, from 1.
 *  @return its index, -1: none */
int sheet_find(const struct sheet *sheet, const char *name);
/** Print a part of a sheet; changes it.
 *  @param text    `intro` or a `section`
 *  @param number  of the lab, for the command that gives its hints
 *  @param all     print what is folded, too */
void sheet_show(FILE *out, char *text, int number, bool all);
/** Free what sheet_read() made. */
void sheet_free(struct sheet *sheet);

#endif

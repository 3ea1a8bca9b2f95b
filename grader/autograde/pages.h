/* SPDX-License-Identifier: MIT */
/** @file
 *  The instructor's pages: one for the class, one for each submission.  Each is
 *  a file of its own without scripts.  All text is escaped by
 *  common/base/html.h.
 */
#ifndef AUTOGRADE_PAGES_H
#define AUTOGRADE_PAGES_H

#include "class_counts.h"
#include "common/base/html.h"
#include "gradebook.h"
#include "grader/report/result_page.h"

enum { PAGE_NAME = 128 };

/** The name of a submission's file, "01_vector_add-ann-1f2e3d4c.html": letters,
 *  digits, '_', '-' and '.' alone, whatever the id holds.  @return `name` */
char *page_name(char name[PAGE_NAME], const char *stem, const char *id);
/** Does a lab of a student have a page of its own: was anything submitted? */
bool has_page(const struct cell *cell);
/** The page of the attempt that counts. */
void print_submission_page(FILE *out, const struct store *store,
                           const struct gradebook *book,
                           const struct row *row, int lab);
/** The page of the class.
 *  @param linked  its rows link to the pages of the submissions */
void print_index_page(FILE *out, const struct gradebook *book, bool linked);

/* Drawings of the class, in class_charts.c. */

/** A histogram of shares from 0 to 1, in ten bars; the last one also has 1.
 *  @param label  what is shown */
void chart_shares(struct html *h, const char *label, const double *share,
                  size_t count);
/** A row of dots on a logarithmic axis, their median marked.
 *  @param value  above 0; sorted by this function
 *  @param unit   behind a number, as " s" */
void chart_spread(struct html *h, const char *label, double *value,
                  size_t count, const char *unit);
/** Attempts a day, or an hour when all fall on three days.
 *  @param time      seconds since 1970; sorted by this function
 *  @param deadline  marked, unless it is 0 */
void chart_times(struct html *h, const char *label, int64_t *time,
                 size_t count, int64_t deadline);
/** A bar of three parts: students with all, some and no points. */
void chart_parts(struct html *h, const struct test_counts *test);

#endif

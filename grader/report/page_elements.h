/* SPDX-License-Identifier: MIT */
/** @file
 *  What the grader's pages share: the style sheet and small elements.  All text
 *  is escaped by common/base/html.h.
 */
#ifndef GRADER_REPORT_PAGE_ELEMENTS_H
#define GRADER_REPORT_PAGE_ELEMENTS_H

#include "common/base/html.h"

/** The style sheet of all pages: narrow windows, dark mode, print. */
extern const char pages_style[];

/** A cell of a table's head for each name; the list ends with NULL. */
void page_head_row(struct html *h, const char *const *names);
/** Name and value of a list of facts; nothing for an empty value. */
void page_fact(struct html *h, const char *name, const char *value);
/** The verdict in its color. */
void page_verdict(struct html *h, const char *verdict);
/** The class of a verdict in the style sheet: "ok", "bad" or "wait". */
const char *verdict_class(const char *verdict);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  The page in the making, and how to write text into it.
 *
 *  The page has no script and loads nothing; its policy forbids both.  All
 *  text that is not this program's own goes through html_text().
 */
#ifndef SOFTGPU_PAGE_HTML_H
#define SOFTGPU_PAGE_HTML_H

#include <stdio.h>

#include "report.h"

enum { PAGE_FILES = 64 /**< sources shown at most */ };

/** One page. */
struct page {
    FILE *out;                           /**< where it is written */
    const struct profile_report *report; /**< what it shows */
    const struct json_t *findings;       /**< array, or NULL */
    const struct json_t *timeline;       /**< object, or NULL */
    const char *files[PAGE_FILES];       /**< sources that are named */
    size_t file_count;                   /**< of them */
};

/** Write text with &, <, >, quotes and control characters made harmless. */
void html_text(FILE *out, const char *text);
/** Write the style sheet. */
void html_style(FILE *out);

/** Write "tile.h:24", as a link when that source is on the page. */
void page_place(const struct page *page, const char *file, int line);
/** Number of a source on the page, or -1. */
int page_file(const struct page *page, const char *file);

/** What the checks found, if anything. */
void page_findings(const struct page *page);
/** The kernels side by side. */
void page_summary(const struct page *page);
/** All kernels under the roofs of the card. */
void page_roofline(const struct page *page);
/** What streams and host did when. */
void page_timeline(const struct page *page);
/** One kernel: facts, advice, pictures, counts. */
void page_kernel(const struct page *page, size_t number);
/** One sample access, as an SVG with its caption. */
void page_picture(const struct page *page, const struct access_picture *p);
/** The sources with what each line cost, and the findings. */
void page_sources(const struct page *page);
/** What the columns mean, Nsight's names, what is exact. */
void page_legend(const struct page *page);

#endif

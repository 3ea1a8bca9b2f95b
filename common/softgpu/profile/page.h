/* SPDX-License-Identifier: MIT */
/** @file
 *  The sections of the HTML page of a profile.
 *
 *  The page has no script and loads nothing; its content security policy
 *  forbids both.  common/base/html.h escapes all text.
 */
#ifndef SOFTGPU_PROFILE_PAGE_H
#define SOFTGPU_PROFILE_PAGE_H

#include <jansson.h>

#include "common/base/html.h"
#include "report.h"

enum { MAX_PAGE_FILES = 64 /**< sources on a page */ };

/** One page. */
struct page {
    struct html *html;                   /**< the document */
    const struct profile_report *report; /**< what it shows */
    const json_t *findings;              /**< array of the checks, or NULL */
    const json_t *timeline;              /**< of timeline_json(), or NULL */
    const char *files[MAX_PAGE_FILES];   /**< sources that are listed */
    size_t file_count;                   /**< of files */
};

/** The style sheet of the page. */
extern const char page_style[];

/** Write "tile.h:24", as a link if that source is listed on the page. */
void page_source_link(const struct page *page, const char *file, int line);
/** Index of a source in page->files, or -1. */
int page_file_index(const struct page *page, const char *file);
/** Write a cell of a table with a number.
 *  @param page    the page
 *  @param is_low  1: highlighted as inefficient
 *  @param text    of the cell */
void page_number_cell(const struct page *page, int is_low, const char *text);
/** Write a row of a bar chart.  @param share  length of the bar, 0 to 1 */
void page_bar(const struct page *page, double share, const char *text);

/** Write the findings of the checks, if there are any. */
void page_findings(const struct page *page);
/** Write the table of all kernels. */
void page_summary(const struct page *page);
/** Write the roofline plot of all kernels. */
void page_roofline(const struct page *page);
/** Write the timeline of host and streams. */
void page_timeline(const struct page *page);
/** Write the section of one kernel: launch, advice, ceilings, counters,
 *  access patterns.  @param number  index in page->report->kernels */
void page_kernel(const struct page *page, size_t number);
/** Write one access pattern as a drawing with a caption. */
void page_access_pattern(const struct page *page,
                         const struct access_pattern *p);
/** Write the sources, with the cost and the findings of each line. */
void page_sources(const struct page *page);
/** Write the meaning of all counters, and their names in Nsight Compute. */
void page_legend(const struct page *page);

#endif

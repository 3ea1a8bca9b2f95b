/* SPDX-License-Identifier: MIT */
/** @file
 *  Parts of a page about one result: its tests, its findings, its source.
 */
#ifndef GRADER_REPORT_RESULT_PAGE_H
#define GRADER_REPORT_RESULT_PAGE_H

#include <jansson.h>

#include "page_elements.h"

/** Write lines of a text with their numbers.
 *  @param first, last  of the lines, from 1
 *  @param marked       this one stands out; 0: none */
void page_lines(struct html *h, const char *text, long first, long last,
                long marked);
/** A table of the tests, checks and costs of a result. */
void page_tests(struct html *h, const json_t *result);
/** The findings of a result, each with the lines around it.
 *  @param source  the submission, or NULL */
void page_findings(struct html *h, const json_t *result, const char *source);

#endif

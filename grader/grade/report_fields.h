/* SPDX-License-Identifier: MIT */
/** @file
 *  Is each member of an instrumented runner's report in its range?
 */
#ifndef GRADER_REPORT_FIELDS_H
#define GRADER_REPORT_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** Check a whole report: it has `findings` and `kernels`; every number is in
 *  the range of its key (or of counts), every text and array is short.
 *  @param[out] reason  one line that names the first member that is not
 *  @return true when all are */
bool report_is_in_range(const json_t *report, char *reason, size_t bytes);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  An old and a new result of one submission.
 */
#ifndef VERBS_COMPARISON_H
#define VERBS_COMPARISON_H

#include <jansson.h>
#include <stddef.h>

/** How many were compared. */
struct comparison {
    size_t all;       /**< pairs of results */
    size_t different; /**< with another verdict, score or maximum */
};

/** Print the mark before and after, and each test that has another verdict,
 *  score or maximum, or is in one result alone.
 *  @param comparison  counts it
 *  @param entry       of the submission
 *  @param old         what counted before, as a file of the results folder
 *  @param now         what counts now */
void comparison_print(struct comparison *comparison, const json_t *entry,
                      const json_t *old, const json_t *now);

#endif

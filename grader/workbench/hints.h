/* SPDX-License-Identifier: MIT */
/** @file
 *  The hints of a lab, as its README.md has them: from a question that leads to
 *  the idea to the lines that are hardest to find.
 *
 *      <details><summary>Hint 1</summary>
 *      The number of blocks is <code>(n + threads - 1) / threads</code>.
 *      </details>
 */
#ifndef GRADER_WORKBENCH_HINTS_H
#define GRADER_WORKBENCH_HINTS_H

enum { HINTS_MAX = 9 }; /**< hints of a lab */

/** The hints of a lab. */
struct hints {
    char *text;            /**< malloced; hints_free() */
    char *hint[HINTS_MAX]; /**< in `text`, without tags and entities */
    int count;             /**< number of hints */
};

/** Read the hints of a lab; none when its README.md has none.
 *  @param stem  "01_vector_add" */
void hints_read(const char *stem, struct hints *hints);
/** Free what hints_read() made. */
void hints_free(struct hints *hints);

#endif

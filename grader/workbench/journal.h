/* SPDX-License-Identifier: MIT */
/** @file
 *  The learner's journal: what was tried in which lab, and when.
 *
 *  A plain text file to which lines are appended, and nothing else is done:
 *
 *      2026-11-22T20:10:05Z 01 grade 45/100 WRONG edges
 *      2026-11-22T20:12:40Z 01 grade 45/100 WRONG edges Is the grid rounded up?
 *      2026-11-22T20:14:31Z 01 hint 1
 *      2026-11-22T20:20:12Z 01 grade 100/100 PASS - 1.05 x modeled
 *      2026-11-22T20:21:40Z 01 answer 24576
 *      2026-11-22T20:30:00Z 01 reset
 *
 *  A line is written by one write() in append mode, so that two programs cannot
 *  mix theirs.  Lines that cannot be read, a last one that was cut off among
 *  them, are skipped and kept.  A learner may edit or delete the file.
 *
 *  It is $WARPBOOK_PROGRESS, or `.warpbook-progress` beside labs/; where that
 *  folder cannot be written, or belongs to an installation,
 *  $XDG_STATE_HOME/warpbook/progress (by default
 *  ~/.local/state/warpbook/progress).  Marks never depend on it.
 */
#ifndef GRADER_WORKBENCH_JOURNAL_H
#define GRADER_WORKBENCH_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/** Kinds of lines. */
enum journal_kind {
    JOURNAL_GRADE,  /**< a grade of all tests */
    JOURNAL_HINT,   /**< a hint was read */
    JOURNAL_ANSWER, /**< the lab's question was answered rightly */
    JOURNAL_RESET   /**< the handout was put back */
};

/** One line. */
struct journal_entry {
    time_t when;            /**< UTC; 0 when added: now */
    int lab;                /**< its number */
    enum journal_kind kind; /**< decides which members below are used */
    double score;           /**< GRADE: points */
    double max_score;       /**< GRADE: of these */
    char verdict[16];       /**< GRADE: of the whole, "PASS" */
    char test[64];          /**< GRADE: the first failing test, or "-" */
    char cost[40];          /**< GRADE, PASS: "1.05 x modeled", or empty */
    char hint[400];         /**< GRADE, else: what was said of the cause, cut
                             *   if it is long, or empty */
    double value;           /**< HINT: its number; ANSWER: the number */
};

/** The path of the journal.  @return `path` (PATH_MAX bytes) */
char *journal_path(char *path);
/** Append a line.
 *  @return false with errno set; the caller may go on without it */
bool journal_add(const struct journal_entry *entry);
/** Read the journal in order.
 *  @param[out] entries  malloced; NULL when there are none
 *  @return how many */
size_t journal_read(struct journal_entry **entries);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  How far the learner is, computed from the journal.
 */
#ifndef GRADER_WORKBENCH_PROGRESS_H
#define GRADER_WORKBENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

/** Labs that a progress has room for; more are not counted. */
enum { PROGRESS_LABS = 99 };

/** How far one lab is. */
struct lab_progress {
    int tries;         /**< grades of all tests */
    int hints;         /**< hints read since the last reset: the next level */
    bool is_passed;    /**< in some try all tests passed */
    bool is_answered;  /**< its question was answered */
    double best;       /**< most points of a try */
    double max_score;  /**< points that the lab has; 0 before the first try */
    char cost[40];     /**< of the best try, "1.05 x modeled" */
    char verdict[16];  /**< of the last try, or empty */
    char test[64];     /**< first failing test of the last try, or "-" */
    char hint[400];    /**< about the cause of its failure, or empty */
    time_t last;       /**< of the last line about it; 0: none */
};

/** How far all labs are. */
struct progress {
    struct lab_progress lab[PROGRESS_LABS + 1]; /**< by the lab's number */
    int last;          /**< number of the lab that was graded last; 0: none */
};

/** Compute it from the journal. */
void progress_read(struct progress *progress);
/** Has the lab full points? */
bool is_complete(const struct lab_progress *lab);
/** The lab to go on with: the one graded last if it is not complete, else the
 *  first after it, or before it, that is not.
 *  @return its index in `suites`, or -1 when all are complete */
int next_lab(const struct progress *progress);
/** The next lab after this one that is not complete, from the last on to the
 *  first; when there is none, the next one.  @return its index in `suites` */
int lab_after(const struct progress *progress, const char *stem);
/** The name of that lab, "02_blur"; the first lab when all are complete. */
const char *next_lab_stem(const struct progress *progress);
/** The name of the lab that was graded last; before that, the first lab. */
const char *last_lab_stem(const struct progress *progress);
/** Print "[####......] 3 of 16 labs, 265 of 1600 points", in a narrow terminal
 *  in two lines. */
void progress_show_bar(FILE *out, const struct progress *progress);
/** Print where the learner is and what to type next. */
void progress_show_next(FILE *out, const struct progress *progress);

#endif

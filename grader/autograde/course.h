/* SPDX-License-Identifier: MIT */
/** @file
 *  The settings of a course, one .ini file:
 *
 *      [course]
 *      name     = GPU programming
 *      late     = 10%/day, max 3, grace 15 ; see late.h; default accept
 *      attempts = last                     ; or best
 *      feedback = all                      ; or first, or score
 *
 *      [lab 01]
 *      points     = 20       ; default: the lab's own, 100
 *      weight     = 1        ; of the lab in the total
 *      deadline   = 2026-11-01T23:59       ; local, or followed by +01:00
 *      late       = refuse   ; of this lab alone
 *      visibility = visible  ; or hidden, or after_due
 *      hidden     = hidden   ; the same for hidden tests
 *      time       = 10       ; limit of a call, seconds
 *      memory     = 2048     ; limit of the runner, MiB
 *      speed large = 3.0     ; thresholds: see grader/lab/threshold.h
 *      cost long sectors = 9, 3, 1.05
 */
#ifndef AUTOGRADE_COURSE_H
#define AUTOGRADE_COURSE_H

#include <limits.h>
#include <stdint.h>

#include "common/base/failure.h"
#include "late.h"

enum { COURSE_LABS = 64, COURSE_THRESHOLDS = 16 };

/** When students may see a lab's result in the exports for them. */
enum visibility { VISIBLE, HIDDEN, AFTER_DUE };
/** How much of a result the exports for students say. */
enum feedback { FEEDBACK_ALL, FEEDBACK_FIRST, FEEDBACK_SCORE };

/** A threshold in place of the lab's own, as grader/lab/threshold.h reads
 *  it. */
struct course_threshold {
    char key[80];   /**< "speed RUN" or "cost CASE METRIC" */
    char value[80]; /**< the numbers */
};

/** Settings of one lab. */
struct course_lab {
    char stem[64];        /**< "01_vector_add" */
    double points;        /**< the score is scaled to them; 0: not scaled */
    double weight;        /**< in the total; default 1 */
    struct deadline deadline; /**< of this lab, or none */
    bool has_late;        /**< `late` is set for this lab */
    struct late_policy late; /**< of this lab */
    enum visibility visibility; /**< default VISIBLE */
    enum visibility hidden;     /**< of hidden tests; default HIDDEN */
    double seconds;       /**< limit of a call; 0: the lab's */
    double memory;        /**< MiB; 0: the lab's */
    struct course_threshold threshold[COURSE_THRESHOLDS]; /**< its own */
    int thresholds;       /**< how many */
};

/** Settings of a course; course_default() fills them in. */
struct course {
    char name[128];          /**< or empty */
    struct late_policy late; /**< of labs without their own */
    bool takes_best;         /**< the best attempt counts, not the last */
    enum feedback feedback;  /**< default FEEDBACK_ALL */
    struct deadline deadline; /**< of labs without their own, or none */
    char hidden[PATH_MAX];   /**< folder of hidden tests, or empty */
    struct course_lab lab[COURSE_LABS]; /**< those with a section */
    int labs;                /**< how many */
};

/** The settings without a file. */
void course_default(struct course *course);
/** Read a file over the present settings.
 *  @return false with "PATH:LINE: cause" */
bool course_read(const char *path, struct course *course,
                 struct failure *failure);
/** The lines that fix the deadlines of a settings file, each with its zone:
 *  appended to the file, they make it mean the same on every machine.
 *  @param[in,out] text  the file's, malloced; may be freed
 *  @return malloced, or NULL when memory is short */
char *course_fix_deadlines(char *text, const struct course *course);
/** The settings of a lab: its section's, or those of a lab without one.
 *  @return valid until the next call */
const struct course_lab *course_lab(const struct course *course,
                                    const char *stem);
/** The section of a lab, made when there is none; NULL when there are too
 *  many. */
struct course_lab *course_add_lab(struct course *course, const char *stem);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  What a class did in one lab: how often each test failed, and the commonest
 *  diagnoses and findings.
 */
#ifndef AUTOGRADE_CLASS_COUNTS_H
#define AUTOGRADE_CLASS_COUNTS_H

#include "gradebook.h"

enum { COUNT_TEXT = 256 };

/** A text with the number of students that it is about. */
struct tally {
    char text[COUNT_TEXT];    /**< what is counted */
    char example[COUNT_TEXT]; /**< one message as it was, or empty */
    size_t students;          /**< each counts once */
    size_t last;              /**< row that was counted last, from 1 */
};

/** A list of them; {0} is empty. */
struct tallies {
    struct tally *item; /**< malloced */
    size_t count;       /**< of them */
};

/** Results of one test, check, budget or timed run. */
struct test_counts {
    char name[64];             /**< as in result.json */
    char title[COUNT_TEXT];    /**< for people */
    bool is_test;              /**< of the list `tests` */
    size_t full, partial, none; /**< students with all, some, no points */
    struct tallies verdicts;   /**< how often each verdict occurred */
};

/** Counts of a lab; free with class_counts_free(). */
struct class_counts {
    struct test_counts *test; /**< malloced; in the order of result.json */
    size_t tests;             /**< how many */
    struct tallies diagnoses; /**< messages of failed tests, the commonest
                                   first */
    struct tallies findings;  /**< kinds of findings, the commonest first */
    size_t graded;            /**< students with a result */
};

/** The lists of result.json that hold objects with points; NULL-terminated. */
extern const char *const point_lists[];

/** Count the results of a lab, the attempts that count alone. */
void class_count(const struct gradebook *book, int lab,
                 struct class_counts *counts);
/** Free them. */
void class_counts_free(struct class_counts *counts);
/** The common part of messages of the same defect: the diagnosis at the end
 *  of a failed comparison, else the message without its case; numbers are
 *  replaced by an ellipsis.
 *  @param[out] text  COUNT_TEXT bytes
 *  @return `text` */
char *diagnosis_text(char *text, const char *message);

#endif

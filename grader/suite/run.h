/* SPDX-License-Identifier: MIT */
/** @file
 *  The grader's side of suite.h: starting and ending a test.
 */
#ifndef GRADER_SUITE_RUN_H
#define GRADER_SUITE_RUN_H

#include "grader/lab/lab.h"
#include "grader/session/session.h"

enum {
    MESSAGE_SIZE = 1024,
    PRINTED_SIZE = 2048,
    VALUES_SIZE = 4096,
    STORED_SIZE = 384,
    PASSED_SIZE = 240,
    VALUES_COLUMNS = 78,       /* the report indents by two */
    NARROW_VALUES_COLUMNS = 42
};

/** Result of a test. */
struct outcome {
    enum verdict verdict;       /**< PASS until something fails */
    char message[MESSAGE_SIZE]; /**< the first failure; empty at PASS */
    char function[64];          /**< the call that failed, "sum"; or empty */
    char values[VALUES_SIZE];   /**< a small wrong case, drawn (small_case.h) */
    char narrow_values[VALUES_SIZE]; /**< the same for a narrow window */
    char passed[PASSED_SIZE];   /**< the cases before the one that failed
                                     (passed.h), or empty */
    char stored[STORED_SIZE];   /**< which line stored the wrong elements
                                     (stored.h), or empty */
    char review[REVIEW_SIZE];   /**< empty, or why a person should look */
    char printed[PRINTED_SIZE]; /**< end of stderr, if the test failed */
    char output[PRINTED_SIZE]; /**< stdout, by case (printed.h) */
    unsigned output_lines;     /**< lines of the program in it */
    unsigned output_left_out;  /**< lines that are not in it */
    double seconds;             /**< of the last call */
    int detail;       /**< how much the message tells about wrong elements;
                           1, 2: it is about memory that was not freed, after
                           an error or always; 0: about something else */
    bool is_explained; /**< it tells the cause */
    bool shows_terms; /**< it tells what is wrong, but no cause */
    unsigned guess; /**< where in the message a cause begins that only one to
                         three wrong elements speak for; 0: nowhere */
    const char *hint; /**< that fits the message, "": none; NULL: the test's */
    bool host_work; /**< the host did what the device should do: no test of
                         the submission counts */
};

/** Begin a test.
 *  @param session  its calls go to this runner
 *  @param seed     with `name`, decides the inputs */
void test_begin(struct session *session, const struct lab *lab, uint64_t seed,
                const char *name, struct outcome *outcome);
/** Make calls of the test that do all but call the lab (CALL_EMPTY); the
 *  expectations then do nothing. */
void test_measure_overhead(void);
/** Make the test a watched case.
 *  @param counters  METRICS of them; expect_metric() adds to them */
void test_count_metrics(struct counter *counters);
/** End the test, UNMEASURED, at its first call whose arrays have more bytes. */
void test_limit_bytes(size_t bytes);
/** End the test: free its arrays.  The runner keeps running. */
void test_end(void);

#endif

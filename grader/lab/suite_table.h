/* SPDX-License-Identifier: MIT */
/** @file
 *  The suites: for each lab its tests, timed runs and watched cases.
 */
#ifndef GRADER_LAB_SUITE_TABLE_H
#define GRADER_LAB_SUITE_TABLE_H

/** One CUnit test: a line of the report and a key in the settings' [points]. */
struct suite_test {
    const char *name;  /**< key in the settings: lower case, no spaces */
    const char *title; /**< shown in the report: "sizes near a block's edge" */
    void (*run)(void); /**< makes the calls and states what is expected */
};

/** The suite of one lab.  Each list ends with a NULL name. */
struct suite {
    const char *stem;                /**< "01_vector_add" */
    const struct suite_test *tests;  /**< in the order of the report */
    /** Timed runs.  Each calls the lab exactly once with fresh inputs and
     *  checks the outputs, as a test does; suite_size() gives it one size for
     *  a CPU and one for a card. */
    const struct suite_test *speeds;
    /** Cases for the instrumented build (`warpbook check`, checks and costs),
     *  one runner each.  Small ones: instrumentation takes ten times as long.
     *  NULL: the tests. */
    const struct suite_test *watched;
};

/** The cases that a suite has for the instrumented build. */
const struct suite_test *suite_watched(const struct suite *suite);

extern const struct suite *const suites[]; /**< ends with NULL */

#endif

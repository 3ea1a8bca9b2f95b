/* SPDX-License-Identifier: MIT */
/** @file
 *  The test that runs now.  CUnit's tests take no argument, so this is the one
 *  place of the grader that keeps state in a global.
 */
#ifndef GRADER_SUITE_STATE_H
#define GRADER_SUITE_STATE_H

#include "channel/frame.h"
#include "suite_run.h"

/** A freed-at-the-end allocation. */
struct allocation {
    struct allocation *next; /**< the one made before it */
};

/** All that a test needs between begin and end. */
struct suite_state {
    struct session *session; /**< the runner that calls go to */
    const struct lab *lab;   /**< whose test it is */
    struct outcome *outcome; /**< what it comes to */
    enum call_mode mode;     /**< CALL_LAB, but when timing the channel */
    struct frame frame;   /**< the last call */
    const char *parameters; /**< their names, "(a, b)"; NULL: the prototype's */
    uint64_t poison;      /**< of the last call */
    struct answer answer; /**< to the last call */
    char about[128];      /**< "n = 257" */
    struct counted *costs; /**< of a watched case, or NULL */
    struct allocation *arrays; /**< what suite_floats and the like made */
    double *previous;      /**< the last right output */
    size_t previous_count; /**< its elements */
};

extern struct suite_state suite_state; /**< the one test that runs */

/** Count an assertion in CUnit. */
void suite_assert(bool ok, const char *message);
/** Record the first failure of the test; later ones are ignored. */
void suite_fail(enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Name of parameter `index` in the lab's prototype: "c".  At most `bytes`. */
void parameter_name(const char *prototype, unsigned index, char *text,
                    size_t bytes);

#endif

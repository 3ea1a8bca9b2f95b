/* SPDX-License-Identifier: MIT */
/** @file
 *  A lab: its folder, and what `lab.ini` there says of it.
 *
 *      [lab]
 *      title     = Vector addition
 *      function  = vector_add
 *      prototype = int vector_add(const float *a, const float *b, float *c, size_t n)
 *      time      = 5               ; seconds that one call may take
 *      memory    = 1024            ; MiB that the runner may hold
 *
 *      [points]                    ; a key for each test of the suite, in order
 *      small = 10
 *
 *      [hints]                     ; shown when that test is the first to fail
 *      small = Does a launch with n = 0 make sense?
 *
 *      [passed]                    ; shown at full marks: where to go next
 *      next = Try the experiments under "Go further".
 *
 *      [speed gpu]                 ; a key for each timed run of the suite
 *      large = 2.0 20              ; target ratio, points at the target
 *      [speed soft]
 *      large = 1.2 0
 *
 *  The student's file is `stem.cu`, the contract `stem.h`.  The ladder is
 *  `solutions/NN_stem/1_*.cu`, `2_*.cu`, ...: the first step is the baseline of
 *  the speed, the last the reference, unless [lab] names others by
 *  `baseline = FILE` and `reference = FILE`.  An unknown section
 *  or key, a missing one, or points for a test that is not there, is an error.
 */
#ifndef GRADER_LAB_H
#define GRADER_LAB_H

#include <stdbool.h>
#include <stddef.h>

#include "suite.h"

enum {
    LAB_TESTS = 32,
    LAB_SPEEDS = 8,
    LAB_STEPS = 16,
    LAB_TEXT = 512,
    LAB_ERROR = 1024
};

/** Points and hint of a test. */
struct lab_test {
    char name[64];
    double points;
    char hint[LAB_TEXT];
};

/** Target and points of a timed run. */
struct lab_speed {
    char name[64];
    double target[2]; /**< ratio to the baseline, by enum device_kind */
    double points[2];
};

/** A lab as configured. */
struct lab {
    char stem[64];  /**< "01_vector_add" */
    char name[64];  /**< "vector_add" */
    int number;     /**< 1 */
    char title[LAB_TEXT], function[64], prototype[LAB_TEXT];
    char next[LAB_TEXT];
    char baseline[64], reference[64]; /**< files of the ladder */
    char step[LAB_STEPS][64]; /**< files of the ladder, in order */
    size_t steps;
    double seconds;
    size_t memory; /**< bytes */
    struct lab_test test[LAB_TESTS];
    size_t tests;
    struct lab_speed speed[LAB_SPEEDS];
    size_t speeds;
    const struct suite *suite;
};

/** Find a lab by "01", "1", "01_vector_add" or "vector_add" and read its
 *  lab.ini.  @return false with one line in `error` (LAB_ERROR bytes). */
bool lab_open(const char *name, struct lab *lab, char *error);
/** Read a lab.ini into `lab`, whose `suite` says which tests there are.
 *  @return false with one line in `error`. */
bool lab_read(const char *path, struct lab *lab, char *error);
/** The labs that have a suite, in order.  @return how many. */
size_t lab_stems(const char **stems, size_t most);

#endif

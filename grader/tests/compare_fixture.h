/* SPDX-License-Identifier: MIT */
/** @file
 *  A correct output, to be corrupted, for tests of comparison and diagnosis.
 */
#ifndef GRADER_TESTS_COMPARE_FIXTURE_H
#define GRADER_TESTS_COMPARE_FIXTURE_H

#include <stdbool.h>

#include "grader/suite/diagnose.h"
#include "grader/suite/hypothesis.h"

enum { N = 24 };

extern float got[N];          /**< the output */
extern double want[N];        /**< what it should be */
extern float input[N];        /**< an input of the call */
extern struct facts launch;   /**< what is known of the call */
extern bool is_on_device;     /**< the output is an array of the device */
extern const char *said_hint; /**< of the last says() */

/** The output, correct again: a vector that 3 blocks of 8 threads wrote. */
struct expected vector(void);
/** Check what is said of a wrong output.
 *  @param where  a part of the text that says where; "": it is empty; NULL: any
 *  @param what   the same of what its elements are */
void says(const struct expected *expected, const char *where, const char *what);
/** How many elements are wrong. */
size_t wrong(const struct expected *expected);
/** Every step-th element from one to before another gets this value. */
void corrupt(size_t from, size_t to, size_t step, float value);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Fault localization: the line of a wrong submission that has the mistake,
 *  found by trying small changes (edits.h) until the tests pass.
 *
 *  A change that makes all tests pass is no proof that the mistake is there,
 *  since it may undo the effect of another line; that the tests pass with it is
 *  a fact, and the report says no more.  Only the place and the kind of the
 *  change are told: what to write there is left to the learner.
 */
#ifndef GRADER_LOCATE_H
#define GRADER_LOCATE_H

#include "grader/grade/grade.h"

enum { LOCATE_MOST = 3, /**< places that are told */
       LOCATE_WORDS = 128 /**< bytes of a description */ };

/** A place where a change makes the tests pass. */
struct located_place {
    int line, column;         /**< in the submission, both from 1 */
    char words[LOCATE_WORDS]; /**< "another comparison" */
};

/** What a search has found. */
struct located {
    struct located_place place[LOCATE_MOST]; /**< all tests pass with each */
    size_t places;     /**< how many; 0: none was found */
    size_t tried;      /**< changes that were tried */
    size_t candidates; /**< changes that there are */
    bool is_unreliable; /**< the test passed without a change */
};

/** Is it worth a search: does a test of the soft device fail by what is in the
 *  source, and by neither a race, a leak, an unwritten part nor the time?
 *  @param[out] test  then its index */
bool can_locate(const struct task *task, const struct report *report,
                size_t *test);
/** Search for the mistake, on all processors.
 *  @param test     index of the test that fails
 *  @param seconds  none is begun later
 *  @param tell     called from time to time with the number of changes that
 *                  were tried, and of all; or NULL
 *  @return false when nothing was found */
bool locate(const struct task *task, size_t test, double seconds,
            void (*tell)(size_t tried, size_t all), struct located *located);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Verdicts of a test.
 */
#ifndef GRADER_VERDICT_H
#define GRADER_VERDICT_H

/** In the order of the documentation; PASS is the only one with points. */
enum verdict {
    PASS,       /**< right output, within the limits */
    WRONG,      /**< output or behavior against the contract */
    SLOW,       /**< right, but below every speed threshold */
    CRASHED,    /**< ended, or broke the device, in the middle of a call */
    TIMEOUT,    /**< did not come back in time */
    MEMORY,     /**< took more memory than allowed */
    OUTPUT,     /**< printed or wrote more than allowed */
    BUILD,      /**< does not compile or link */
    REJECTED,   /**< refused before it was built */
    MISSING,    /**< no file, or an empty one */
    UNMEASURED, /**< the machine was unfit to time it */
    INTERNAL,   /**< our fault, never the student's */
    VERDICTS
};

/** "PASS", "WRONG", ...  @return static text */
const char *verdict_name(enum verdict verdict);
/** The verdict of that name, or VERDICTS. */
enum verdict verdict_named(const char *name);

#endif

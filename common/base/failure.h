/* SPDX-License-Identifier: MIT */
/** @file
 *  The error message of a function that failed: one line for the user.  Host
 *  only. */
#ifndef FAILURE_H
#define FAILURE_H

#include <stdbool.h>

/** An error message without newline, "place: cause"; empty if nothing failed.
 */
struct failure {
    char text[512]; /**< the message, truncated to fit */
};

/** Format the message.
 *  @param[out] failure  where to write it, or NULL to discard it
 *  @param      format   as for printf, followed by its arguments
 *  @return false, so that functions can `return fail(...)` */
bool fail(struct failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Is an errno an error of this machine, such as of a disk or for want of
 *  descriptors or memory, and no property of the file that was asked for? */
bool error_is_ours(int error);

#endif

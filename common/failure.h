/* SPDX-License-Identifier: MIT */
/** @file
 *  Why something failed, as one line for a person.  Host only. */
#ifndef FAILURE_H
#define FAILURE_H

#include <stdbool.h>

/** One line without newline: "what: why"; empty while nothing failed. */
struct failure {
    char text[512]; /**< the line, cut to fit */
};

/** Write the line.
 *  @param[out] failure  where to, or NULL when nobody wants to know
 *  @param      format   as for printf, its arguments following
 *  @return false, so that `return fail(...)` reads as it acts */
bool fail(struct failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

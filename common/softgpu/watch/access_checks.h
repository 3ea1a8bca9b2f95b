/* SPDX-License-Identifier: MIT */
/** @file
 *  The checks of one access in a kernel, in their order.  A check is one
 *  function here; without its line it does not run.
 */
#ifndef SOFTGPU_WATCH_ACCESS_CHECKS_H
#define SOFTGPU_WATCH_ACCESS_CHECKS_H

#include "watch.h"

#define ACCESS_CHECKS(X)                                             \
    X(watch_check_bounds) /* bounds_check.c: memory, and aligned? */ \
    X(watch_check_words)  /* shadow_words.c: initcheck, racecheck */

/** @return 1 when later checks make no sense */
#define X(name) int name(struct access *access);
ACCESS_CHECKS(X)
#undef X

/** Run the checks. */
static inline void watch_run_checks(struct access *access)
{
#define X(name)       \
    if (name(access)) \
        return;
    ACCESS_CHECKS(X)
#undef X
}

#endif

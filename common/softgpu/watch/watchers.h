/* SPDX-License-Identifier: MIT */
/** @file
 *  The watchers of memory, in the order in which they see an access.  Each is
 *  one file; without its line here it is gone.
 */
#ifndef SOFTGPU_WATCHERS_H
#define SOFTGPU_WATCHERS_H

#include "watch.h"

#define WATCHERS(X)                                     \
    X(watch_bounds) /* bounds.c: may it be touched? */  \
    X(watch_cells_of) /* words.c: initialised? raced? */

/** A watcher: 1 when the access makes no sense for those after it. */
#define X(name) int name(const struct access *access);
WATCHERS(X)
#undef X

/** Show an access to all of them. */
static inline void watch_show(const struct access *access)
{
#define X(name)       \
    if (name(access)) \
        return;
    WATCHERS(X)
#undef X
}

#endif

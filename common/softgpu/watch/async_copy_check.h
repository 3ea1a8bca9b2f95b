/* SPDX-License-Identifier: MIT */
/** @file
 *  Asynchronous copies, as accesses of threads.
 */
#ifndef SOFTGPU_WATCH_ASYNC_COPY_CHECK_H
#define SOFTGPU_WATCH_ASYNC_COPY_CHECK_H

#include <stddef.h>

/** Hooks of core/hooks.h.  A copy to shared memory counts as a store of the
 *  thread that issues it, at that time, since it may overwrite what others
 *  still read: but for bulk copies, and it initializes nothing.  When the
 *  thread waits for it, it is a load and a store of that thread. */
void check_issued_copy(void *dst, const void *src, size_t bytes,
                       const void *site, int posted);
void check_completed_copy(void *dst, const void *src, size_t bytes,
                          const void *site, int posted);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  The watcher of kernels that never end: threads that wait for a flag that
 *  nobody sets.  Progress is a block that begins, a barrier that opens, a
 *  plain write, a word touched for the first time.  When there was none for
 *  SOFTGPU_PATIENCE seconds (20) of the program's CPU time, the kernel is
 *  ended, and the finding names where it waited.
 */
#ifndef SOFTGPU_WATCH_PROGRESS_H
#define SOFTGPU_WATCH_PROGRESS_H

#include "watch.h"

/** Counts; only that it changes matters, so OS threads may overwrite each
 *  other's. */
extern _Atomic uint32_t progress_count;

/** Something happened that no endless loop does. */
static inline void progress_made(void)
{
    const uint32_t n =
        atomic_load_explicit(&progress_count, memory_order_relaxed);

    atomic_store_explicit(&progress_count, n + 1, memory_order_relaxed);
}

/** A thread of a kernel reads what may never change, at this line. */
void progress_waits(const struct access *access);
/** A grid begins, and ends. */
void progress_begin_grid(const struct run *run);
void progress_end_grid(void);

#endif

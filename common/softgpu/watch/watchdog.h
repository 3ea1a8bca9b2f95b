/* SPDX-License-Identifier: MIT */
/** @file
 *  The watchdog stops a kernel that makes no progress: its threads poll a flag
 *  that no thread sets.  Progress is a block that begins, a barrier that
 *  opens, a plain write, a first access to a word.  After SOFTGPU_PATIENCE
 *  seconds (20) of the program's CPU time without any, the kernel ends with
 *  cudaErrorLaunchTimeout and a finding at the access that polls.
 */
#ifndef SOFTGPU_WATCH_WATCHDOG_H
#define SOFTGPU_WATCH_WATCHDOG_H

#include "watch.h"

/** A counter of progress.  Only that it changes matters, so OS threads may
 *  overwrite each other's increments. */
extern _Atomic uint32_t watchdog_counter;

/** Count progress: something that no endless loop does. */
static inline void watchdog_progress(void)
{
    const uint32_t n =
        atomic_load_explicit(&watchdog_counter, memory_order_relaxed);

    atomic_store_explicit(&watchdog_counter, n + 1, memory_order_relaxed);
}

/** The running thread makes an atomic or volatile access: it may poll here. */
void watchdog_note_wait(const struct access *access);
/** A grid begins. */
void watchdog_begin_grid(const struct run *run);
/** The grid has ended. */
void watchdog_end_grid(void);

#endif

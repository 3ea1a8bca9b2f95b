/* SPDX-License-Identifier: MIT */
/** @file
 *  The monitor: preempts CUDA threads that run too long while others wait.
 */
#ifndef SOFTGPU_MONITOR_H
#define SOFTGPU_MONITOR_H

#include <signal.h>

#include "block.h"

/** Sent to a worker to preempt its CUDA thread; ignored by default. */
#define SOFTGPU_PREEMPT_SIGNAL SIGURG

/** A grid starts: wake the monitor, which is created at the first call.
 *  @param workers  all workers; it observes those that are `inside`
 *  @param count    how many */
void softgpu_monitor_wake(struct worker *workers, int count);
/** Reset the state in the child of a fork(), which has no monitor thread. */
void softgpu_monitor_after_fork(void);

#endif

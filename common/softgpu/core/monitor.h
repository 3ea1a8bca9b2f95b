/* SPDX-License-Identifier: MIT */
/** @file
 *  Watches for threads that keep the processor while others wait.
 */
#ifndef SOFTGPU_MONITOR_H
#define SOFTGPU_MONITOR_H

#include <signal.h>

#include "block.h"

/** Sent to a worker to make its thread give way; ignored by default. */
#define SOFTGPU_PREEMPT_SIGNAL SIGURG

/** A grid begins: see that the monitor is awake.
 *  @param workers  all of them, `count`; those `inside` are watched */
void softgpu_monitor_wake(struct worker *workers, int count);
/** In the child of a fork(): the monitor is gone. */
void softgpu_monitor_forget(void);

#endif

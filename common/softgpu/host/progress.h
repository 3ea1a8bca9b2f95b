/* SPDX-License-Identifier: MIT */
/** @file
 *  Progress without a host thread that waits.
 *
 *  Queued commands run when a host thread waits for them, in an order that is
 *  the same in each run.  A host thread may also wait without a CUDA call: for
 *  a host function of a stream, or for a value in mapped memory.  Therefore an
 *  OS thread of the runtime runs the commands that no host thread has run for
 *  some time.  From the first such command on it waits shortly only.  What a
 *  kernel that runs may wait for is run beside it by others.
 */
#ifndef SOFTGPU_PROGRESS_H
#define SOFTGPU_PROGRESS_H

/** Do queued commands run although no host thread waits for them? */
int softgpu_progress_is_on(void);
/** A command was queued; the lock is held. */
void softgpu_progress_notify(void);
/** The calling OS thread of the runtime is about to run commands: another one
 *  looks after the queues; the lock is held. */
void softgpu_progress_leave(void);
/** It looks after them again. */
void softgpu_progress_return(void);
/** Read SOFTGPU_PROGRESS, and let all queued commands run before the program
 *  ends; the lock is held. */
void softgpu_progress_initialize(void);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  When calls of the submission's own threads are performed: while the lab's
 *  function runs, and before main().  Between two calls of it, when the inputs
 *  of the next one arrive, they wait: nothing would be counted.
 */
#ifndef GRADER_RUNNER_SOFT_CALLS_GATE_H
#define GRADER_RUNNER_SOFT_CALLS_GATE_H

/** Wait for the calls that are being performed, and hold all others. */
void calls_hold(void);
/** Let them go on; by the thread that held them. */
void calls_admit(void);
/** A thread's call begins: wait while calls are held. */
void calls_enter(void);
/** It ends. */
void calls_leave(void);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Tasks side by side, each in a process of its own.
 *
 *  A task's process adopts what its descendants leave behind, so that the task
 *  sees it and no other one does.  What it prints on stdout is printed when its
 *  result is asked for.
 */
#ifndef ATTACK_POOL_H
#define ATTACK_POOL_H

enum { POOL_FAILED = 125 }; /**< of pool_result(): the process did not end by
                                 itself, or could not be started */

/** Say what to run; nothing is started yet.
 *  @param count  tasks, at most 2 * ATTACK_ROWS
 *  @param jobs   of them at a time
 *  @param task   gets the number of a task; what it returns, 0 to 124, is its
 *                result */
void pool_open(int count, int jobs, int (*task)(int number));
/** Wait for a task, and start further ones meanwhile, in the order of their
 *  numbers.  Its output is printed.
 *  @return its result, or POOL_FAILED */
int pool_result(int number);

#endif

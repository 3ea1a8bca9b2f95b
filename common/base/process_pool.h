/* SPDX-License-Identifier: MIT */
/** @file
 *  A pool of child processes, as many at a time as there are processors.
 */
#ifndef GRADER_CHILDREN_H
#define GRADER_CHILDREN_H

#include <stddef.h>

/** Call work(user, i) for each i below count, each in a child process, and wait
 *  for all; none starts after a signal.
 *  @param work  returns its results in files or in shared memory */
void process_pool_run(size_t count, void (*work)(void *user, size_t index),
                      void *user);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Work that is done in child processes, as many at a time as there are
 *  processors.
 */
#ifndef GRADER_CHILDREN_H
#define GRADER_CHILDREN_H

#include <stddef.h>

/** Call work(user, i) for each i below count, each in a child of its own, and
 *  wait for all; none is begun after ctrl-C.  What a child leaves behind must
 *  be in files or in shared memory. */
void children_run(size_t count, void (*work)(void *user, size_t index),
                  void *user);

#endif

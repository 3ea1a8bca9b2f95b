/* SPDX-License-Identifier: MIT */
/** @file
 *  The wait of cp.async that leaves the group pending which is read.
 */
#ifndef GRADER_ASYNC_HINT_H
#define GRADER_ASYNC_HINT_H

#include <stdbool.h>
#include <stddef.h>

/** Describe the wait for groups of asynchronous copies, which may be too
 *  short, where a kernel reads what nothing had written yet.
 *  @param text       CUDA C source
 *  @param[out] hint  at most `bytes`: the lines of the wait and of the commit
 *  @return false if there is none, or one that waits for all groups */
bool async_hint(const char *text, char *hint, size_t bytes);

#endif

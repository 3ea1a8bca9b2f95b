/* SPDX-License-Identifier: MIT */
/** @file
 *  A race of two accesses between which a barrier stands in the source.
 */
#ifndef GRADER_BARRIER_HINT_H
#define GRADER_BARRIER_HINT_H

#include <stdbool.h>
#include <stddef.h>

/** Name the barrier between two lines: it separates the accesses of one
 *  iteration of a loop, and not those of the next.  It is in that loop, or the
 *  loop is that of a function's caller.  Accesses in functions are where
 *  these are called.
 *  @param text           CUDA C source
 *  @param is_warp        the threads are of one warp, else of one block
 *  @param first, second  the accesses' lines, in any order
 *  @param[out] hint      at most `bytes`
 *  @return false if there is none, or the lines are the same */
bool barrier_hint(const char *text, bool is_warp, long first, long second,
                  char *hint, size_t bytes);

#endif

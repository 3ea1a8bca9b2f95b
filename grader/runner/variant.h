/* SPDX-License-Identifier: MIT */
/** @file
 *  What a plain runner and a watched one do differently: plain.c, watched.c.
 */
#ifndef GRADER_RUNNER_VARIANT_H
#define GRADER_RUNNER_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

/** Bytes of guard before and after each array.  0 in a watched runner: there
 *  an array is an allocation of exactly its size, outputs are not written
 *  before the call, and the watchers see who goes beyond or reads too early. */
extern const size_t runner_guard;
/** Launches and copies are counted.  A watched runner leaves that to the
 *  watchers, which name the line that launched: it tells of one in each
 *  call. */
extern const bool runner_counts_launches;
/** End the process, the channel having closed. */
void runner_leave(void) __attribute__((noreturn));

#endif

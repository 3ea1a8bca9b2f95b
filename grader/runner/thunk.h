/* SPDX-License-Identifier: MIT */
/** @file
 *  What the thunk of a lab provides.  It is generated from the lab's settings
 *  (grader/calls) or written by hand (grader/runner/calls).
 */
#ifndef GRADER_RUNNER_THUNK_H
#define GRADER_RUNNER_THUNK_H

#include "grader/channel/frame.h"

/** Call the lab's function with the arguments of a frame.
 *  Runs in the untrusted process; each array is in host or device memory, as
 *  the stub described it.
 *  @return what the lab returned */
int64_t runner_call(const struct frame *frame);

#endif

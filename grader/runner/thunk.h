/* SPDX-License-Identifier: MIT */
/** @file
 *  What a lab's thunk (grader/runner/calls/NN_stem.c) provides.
 */
#ifndef GRADER_RUNNER_THUNK_H
#define GRADER_RUNNER_THUNK_H

#include "../channel/frame.h"

/** Call the lab's function with the arguments of the frame.
 *  Runs in the student's process; arrays are where the stub asked.
 *  @return what the lab returned. */
int64_t runner_call(const struct frame *frame);

#endif

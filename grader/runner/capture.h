/* SPDX-License-Identifier: MIT */
/** @file
 *  A call of the lab that is captured into a graph, which is then replayed:
 *  capture_soft.c, capture_gpu.c.
 */
#ifndef GRADER_RUNNER_CAPTURE_H
#define GRADER_RUNNER_CAPTURE_H

#include "../channel/message.h"

/** Make the call in a capture of the default stream; replay it once and wait.
 *  @return what the call returned, or the error of the capture */
int64_t captured_call(int64_t (*call)(const struct frame *),
                      const struct frame *frame);

#endif

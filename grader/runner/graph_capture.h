/* SPDX-License-Identifier: MIT */
/** @file
 *  Calling the lab in a stream capture: graph_capture_soft.c,
 *  graph_capture_gpu.c.
 */
#ifndef GRADER_RUNNER_CAPTURE_H
#define GRADER_RUNNER_CAPTURE_H

#include "grader/channel/message.h"

/** Call the lab while the default stream is captured into a graph; launch the
 *  graph once and synchronize.
 *  @return what the lab returned, or the error of the capture */
int64_t call_captured(int64_t (*call)(const struct frame *),
                      const struct frame *frame);

#endif

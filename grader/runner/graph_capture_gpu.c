/* SPDX-License-Identifier: MIT */
/* On a card the default stream can be captured only in files compiled with
 * --default-stream per-thread; the submission is not, so the call is made
 * without a capture. */
#include "graph_capture.h"

int64_t call_captured(int64_t (*call)(const struct frame *),
                      const struct frame *frame)
{
    return call(frame);
}

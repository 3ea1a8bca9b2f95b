/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 14: unpack the call. */
#include "labs/14_streams/streams.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    return streams(frame_array(f, 0), frame_array(f, 1),
                   (int)frame_integer(f, 2), (int)frame_integer(f, 3));
}

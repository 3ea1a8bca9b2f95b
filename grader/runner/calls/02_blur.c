/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 02: unpack the call. */
#include "labs/02_blur/blur.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    return blur(frame_array(f, 0), frame_array(f, 1),
                (int)frame_integer(f, 2), (int)frame_integer(f, 3),
                (int)frame_integer(f, 4), (int)frame_integer(f, 5));
}

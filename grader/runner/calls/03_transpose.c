/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 03: unpack the call. */
#include "labs/03_transpose/transpose.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    return transpose(frame_array(f, 0), frame_array(f, 1),
                     (int)frame_integer(f, 2), (int)frame_integer(f, 3));
}

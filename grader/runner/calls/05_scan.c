/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 05: unpack the call. */
#include "labs/05_scan/scan.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    return scan(frame_array(f, 0), frame_array(f, 1), frame_array(f, 2),
                (size_t)frame_integer(f, 3), (int)frame_integer(f, 4));
}

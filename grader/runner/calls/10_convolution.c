/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 10: unpack the call. */
#include "labs/10_convolution/convolution.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    const float *factors = frame_array(f, 3);

    return convolution(frame_array(f, 0), frame_array(f, 1), frame_array(f, 2),
                       frame_integer(f, 6) ? factors : NULL, frame_array(f, 4),
                       frame_array(f, 5));
}

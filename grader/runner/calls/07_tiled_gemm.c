/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 07: unpack the call. */
#include "labs/07_tiled_gemm/tiled_gemm.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    return tiled_gemm(frame_array(f, 0), frame_array(f, 1), frame_array(f, 2),
                      (int)frame_integer(f, 3), (int)frame_integer(f, 4),
                      (int)frame_integer(f, 5));
}

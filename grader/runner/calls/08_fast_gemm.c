/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 08: unpack the call. */
#include "labs/08_fast_gemm/fast_gemm.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    return fast_gemm(frame_array(f, 0), frame_array(f, 1), frame_array(f, 2),
                     (int)frame_integer(f, 3), (int)frame_integer(f, 4),
                     (int)frame_integer(f, 5), (float)frame_real(f, 6),
                     (float)frame_real(f, 7));
}

/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 09: unpack the call. */
#include "labs/09_tensor_gemm/tensor_gemm.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    return tensor_gemm(frame_array(f, 0), frame_array(f, 1),
                       frame_array(f, 2), (int)frame_integer(f, 3),
                       (int)frame_integer(f, 4), (int)frame_integer(f, 5),
                       (int)frame_integer(f, 6));
}

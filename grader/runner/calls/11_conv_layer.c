/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 11: unpack the call. */
#include "labs/11_conv_layer/conv_layer.h"
#include "runner/thunk.h"

int64_t runner_call(const struct frame *f)
{
    const struct conv_shape *shape = frame_array(f, 0);

    switch (f->function) {
    case 0:
        return conv_forward(shape, frame_array(f, 1), frame_array(f, 2),
                            frame_array(f, 3), frame_array(f, 4));
    case 1:
        return conv_backward_data(shape, frame_array(f, 1), frame_array(f, 2),
                                  frame_array(f, 3), frame_array(f, 4));
    case 2:
        return conv_backward_filter(shape, frame_array(f, 1),
                                    frame_array(f, 2), frame_array(f, 3),
                                    frame_array(f, 4));
    default:
        return (int64_t)conv_workspace(shape);
    }
}

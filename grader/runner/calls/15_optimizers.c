/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 15: unpack the calls. */
#include "15_optimizers.h"

#include "labs/15_optimizers/optimizers.h"
#include "runner/thunk.h"

/* An array, or NULL where the suite has none. */
static void *present(const struct frame *f, unsigned index, int bit)
{
    return frame_integer(f, UPDATE_ABSENT) & bit ? NULL
                                                 : frame_array(f, index);
}

static struct update update_of(const struct frame *f)
{
    return (struct update){.d_params = frame_array(f, UPDATE_PARAMS),
                           .d_grads = frame_array(f, UPDATE_GRADS),
                           .d_first = present(f, UPDATE_FIRST, 1),
                           .d_second = present(f, UPDATE_SECOND, 2),
                           .n = (size_t)frame_integer(f, UPDATE_N),
                           .decayed = (size_t)frame_integer(f, UPDATE_DECAYED),
                           .d_rate = frame_array(f, UPDATE_RATE),
                           .d_scale = present(f, UPDATE_SCALE, 4),
                           .d_step = frame_array(f, UPDATE_STEP)};
}

static int64_t call_sgd(const struct frame *f)
{
    const struct update u = update_of(f);
    const struct sgd how = {
        .momentum = (float)frame_real(f, UPDATE_MORE),
        .weight_decay = (float)frame_real(f, UPDATE_DECAY),
        .nesterov = (int)frame_integer(f, UPDATE_FLAG)};

    return sgd_step(&u, &how);
}

static int64_t call_adam(const struct frame *f)
{
    const struct update u = update_of(f);
    const struct adam how = {
        .beta1 = (float)frame_real(f, UPDATE_MORE),
        .beta2 = (float)frame_real(f, UPDATE_MORE + 1),
        .epsilon = (float)frame_real(f, UPDATE_MORE + 2),
        .weight_decay = (float)frame_real(f, UPDATE_DECAY),
        .decoupled = (int)frame_integer(f, UPDATE_FLAG)};

    return adam_step(&u, &how);
}

static int64_t call_next(const struct frame *f)
{
    const struct schedule how = {.kind = (int)frame_integer(f, 2),
                                 .rate = (float)frame_real(f, 6),
                                 .warmup = (int)frame_integer(f, 3),
                                 .every = (int)frame_integer(f, 4),
                                 .factor = (float)frame_real(f, 7),
                                 .total = (int)frame_integer(f, 5),
                                 .least = (float)frame_real(f, 8)};

    return next_step(&how, frame_array(f, 0), frame_array(f, 1));
}

int64_t runner_call(const struct frame *f)
{
    switch (f->function) {
    case SGD_STEP:
        return call_sgd(f);
    case ADAM_STEP:
        return call_adam(f);
    case CLIP_NORM:
        return clip_norm(frame_array(f, 0), (size_t)frame_integer(f, 3),
                         (float)frame_real(f, 4), frame_array(f, 1),
                         frame_array(f, 2));
    default:
        return call_next(f);
    }
}

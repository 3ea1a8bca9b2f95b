/* SPDX-License-Identifier: MIT */
/* The thunk of lab 16: assembles the struct step and calls the lab. */
#include "grader/channel/cnn_trainer_call.h"

#include "labs/16_cnn_trainer/cnn_trainer.h"
#include "grader/runner/thunk.h"

/* Sets the pointers to the layers' arrays, which step_layout() places in the
 * block `layers`. */
static void place_layers(const struct network *net, int room,
                         unsigned char *layers, struct step *step)
{
    static unsigned char none[1];
    struct step probe;
    size_t before;

    step_layout(net, room, 0, none, &probe);
    before = (size_t)((unsigned char *)probe.d_out[0] - none);
    step_layout(net, room, 0, layers - before, step);
}

static struct step step_of(const struct frame *f)
{
    const struct network *net = frame_array(f, STEP_NET);
    struct step step;

    place_layers(net, (int)frame_integer(f, STEP_ROOM),
                 frame_array(f, STEP_LAYERS), &step);
    step.count = (int)frame_integer(f, STEP_COUNT);
    step.seed = (uint64_t)frame_integer(f, STEP_SEED);
    step.d_images = frame_array(f, STEP_IMAGES);
    step.d_labels = frame_array(f, STEP_LABELS);
    step.d_predicted = frame_array(f, STEP_CHOSEN);
    step.d_parameters = frame_array(f, STEP_PARAMETERS);
    step.d_gradients = frame_array(f, STEP_GRADIENTS);
    step.d_moment1 = frame_array(f, STEP_FIRST);
    step.d_moment2 = frame_array(f, STEP_SECOND);
    step.d_running_stats = frame_array(f, STEP_RUNNING);
    step.d_learning_rate = frame_array(f, STEP_RATE);
    step.d_step = frame_array(f, STEP_STEP);
    step.d_totals = frame_array(f, STEP_TOTALS);
    step.d_workspace = frame_array(f, STEP_WORK);
    return step;
}

int64_t runner_call(const struct frame *f)
{
    struct step step;

    if (f->function == TRAIN_WORKSPACE)
        return (int64_t)train_workspace(frame_array(f, STEP_NET),
                                        (int)frame_integer(f, 1));
    step = step_of(f);
    return f->function == TRAIN_STEP ? train_step(&step)
                                     : train_evaluate(&step);
}

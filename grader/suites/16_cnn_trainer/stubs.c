/* SPDX-License-Identifier: MIT */
/* Stubs of lab 16: each function describes its call and sends it. */
#include "grader/channel/cnn_trainer_call.h"

#include "suite_16.h"

/* An array that training updates and evaluation does not change. */
static void kept(enum trainer_call which, void *data, size_t bytes)
{
    if (which == TRAIN_STEP)
        call_inout(ON_DEVICE, data, bytes);
    else
        call_in(ON_DEVICE, data, bytes);
}

/* Describes the arguments in the order of enum trainer_argument and sends the
 * call. */
static int ship(enum trainer_call which, const struct step *step)
{
    const struct fixture *fixture = (const struct fixture *)step;
    const size_t images = (size_t)step->count, real = sizeof(float);
    unsigned char *layers = (unsigned char *)step->d_out[0];
    size_t flat;

    if (suite_failed())
        return -1; /* the fixture may have no arrays */
    flat = step->net->parameters * real;
    call_begin(which);
    call_parameters(
        "(net, d_images, d_labels, d_predicted, d_parameters, "
        "d_gradients, d_moment1, d_moment2, d_running_stats, d_learning_rate, "
        "d_step, d_totals, d_workspace, d_out and d_out_grad)");
    call_in(ON_HOST, step->net, sizeof *step->net);
    call_in(ON_DEVICE, step->d_images,
            images * shape_elements(&step->net->in) * real);
    call_in(ON_DEVICE, step->d_labels, images);
    call_out(ON_DEVICE, step->d_predicted, images);
    kept(which, step->d_parameters, flat);
    if (which == TRAIN_STEP)
        call_out(ON_DEVICE, step->d_gradients, flat);
    else
        call_in(ON_DEVICE, step->d_gradients, flat);
    kept(which, step->d_moment1, flat);
    kept(which, step->d_moment2, flat);
    kept(which, step->d_running_stats,
         step_running_stats_count(step->net) * real);
    call_in(ON_DEVICE, step->d_learning_rate, real);
    kept(which, step->d_step, sizeof *step->d_step);
    call_inout(ON_DEVICE, step->d_totals, 2 * real);
    call_inout(ON_DEVICE, step->d_workspace, fixture->work);
    call_inout(ON_DEVICE, layers,
               (size_t)(fixture->memory + fixture->bytes - layers));
    call_integer(step->count);
    call_integer(fixture->max_images);
    call_integer((int64_t)step->seed);
    return (int)call_end();
}

int train_step(const struct step *step)
{
    return ship(TRAIN_STEP, step);
}

int train_evaluate(const struct step *step)
{
    return ship(TRAIN_EVALUATE, step);
}

size_t train_workspace(const struct network *net, int batch)
{
    int64_t bytes;

    call_begin(TRAIN_WORKSPACE);
    call_parameters("(net)");
    call_in(ON_HOST, net, sizeof *net);
    call_integer(batch);
    bytes = call_end();
    expect_that(bytes >= 0 && bytes < (int64_t)1 << 30,
                "train_workspace asks for %lld bytes", (long long)bytes);
    return suite_failed() ? 0 : (size_t)bytes;
}

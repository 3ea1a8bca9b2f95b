/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: a step and an evaluation compared with the reference in
 * double. */
#include <stdio.h>

#include "mistakes.h"

static const double relative_tolerance = TRAINER_TOLERANCE;

/* Compares n floats; a failure is explained by the usual mistakes, if any. */
static void compare_and_explain(const char *name, const float *got,
                                const double *want, const double *tolerance,
                                size_t n, mistakes *usual_mistakes,
                                const void *context)
{
    double *scale = suite_doubles(n);

    for (size_t i = 0; i < n; i++)
        scale[i] = tolerance[i] * 0x1p23; /* compare.h's tolerance: 2 * 1 *
                                             2^-24 * scale */
    expect_elements(&(struct expected){.name = name, .got = got, .want = want,
                                       .type = FLOAT32, .size = {n},
                                       .steps = 1, .scale = scale,
                                       .mistakes = usual_mistakes,
                                       .context = context});
}

void trainer_compare(const char *name, const float *got, const double *want,
                     const double *tolerance, size_t n)
{
    compare_and_explain(name, got, want, tolerance, n, NULL, NULL);
}

double trainer_max_magnitude(const double *of, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(of[i]));
    return most;
}

/* Compares the gradients of a layer's weights or biases, named as in the .net
 * file. */
static void compare_layer_gradients(const struct fixture *fixture,
                                    const struct layer *layer, bool biases,
                                    double most)
{
    const size_t at = biases ? layer->bias_offset : layer->weight_offset;
    const size_t n = biases ? layer->biases : layer->weights;
    const bool norm = layer->kind == LAYER_BATCHNORM;
    double *tolerance = suite_doubles(n);
    char name[96];

    for (size_t i = 0; i < n; i++)
        tolerance[i] = relative_tolerance * most;
    snprintf(name, sizeof name, "d_gradients, %s's %s", layer->name,
             biases ? "biases" : norm ? "scales" : "weights");
    compare_and_explain(name, fixture->step.d_gradients + at,
                        fixture->x->gradients + at, tolerance, n,
                        trainer_gradient_mistakes,
                        &(struct gradient_made){fixture, at});
    if (suite_failed())
        suite_hint(trainer_gradient_hint(
            fixture, (int)(layer - fixture->net.layers), biases));
}

/* Compares the gradients of each layer, relative to its largest element.  The
 * last layer comes first: an error there propagates to all layers before it. */
static void compare_gradients(const struct fixture *fixture)
{
    const double *gradients = fixture->x->gradients;

    for (int i = fixture->net.count - 1; i >= 0 && !suite_failed(); i--) {
        const struct layer *layer = &fixture->net.layers[i];
        const double most = fmax(
            trainer_max_magnitude(gradients + layer->weight_offset,
                                  layer->weights),
            trainer_max_magnitude(gradients + layer->bias_offset,
                                  layer->biases));

        if (!layer->weights)
            continue;
        compare_layer_gradients(fixture, layer, false, most);
        if (!suite_failed()) /* its hint is not that of the biases */
            compare_layer_gradients(fixture, layer, true, most);
    }
}

/* Compares the last layer's output. */
static void compare_outputs(const struct fixture *fixture, bool training)
{
    const struct step *step = &fixture->step;
    const int last = fixture->net.count - 1;
    const size_t n = (size_t)(step->count * fixture->net.classes);
    const double *out = fixture->x->out[last];
    const double most = trainer_max_magnitude(out, n);
    double *tolerance = suite_doubles(n);

    for (size_t i = 0; i < n; i++)
        tolerance[i] = relative_tolerance * most;
    compare_and_explain("d_out[last]", step->d_out[last], out, tolerance, n,
                        training ? trainer_output_mistakes
                                 : trainer_evaluation_mistakes, fixture);
    if (suite_failed())
        suite_hint(trainer_first_wrong_layer(fixture));
}

/* Compares the predictions and the totals. */
static void compare_totals(const struct fixture *fixture, const float *before,
                           double losses, bool training)
{
    const struct step *step = &fixture->step;
    const int last = fixture->net.count - 1, classes = fixture->net.classes;
    const double *out = fixture->x->out[last];
    const double most = trainer_max_magnitude(
        out, (size_t)(step->count * classes));
    double correct = 0, totals[2], totals_tolerance[2];

    for (int i = 0; i < step->count; i++) {
        const int predicted = step->d_predicted[i];
        int argmax = 0;

        for (int j = 1; j < classes; j++)
            if (out[i * classes + j] > out[i * classes + argmax])
                argmax = j;
        correct += argmax == step->d_labels[i];
        expect_that(predicted == argmax,
                    "d_predicted[%d] is %d, should be %d%s", i, predicted,
                    argmax,
                    trainer_why_predicted(step, out, training, i, argmax));
    }
    totals[0] = (double)before[0] + losses;
    totals[1] = (double)before[1] + correct;
    totals_tolerance[0] =
        relative_tolerance * (fabs(totals[0]) + most * step->count * 0x1p-3);
    totals_tolerance[1] = 0;
    compare_and_explain("d_totals", step->d_totals, totals, totals_tolerance, 2,
                        trainer_total_mistakes,
                        &(struct totals_made){before, losses, correct,
                                              step->count, fixture});
}

/* Compares the running averages, whose momentum is 0.1. */
static void compare_running_statistics(const struct fixture *fixture,
                                       const float *before)
{
    const struct network *net = &fixture->net;
    const size_t all = step_running_stats_count(net);
    double *want = suite_doubles(all), *tolerance = suite_doubles(all),
           *batch = suite_doubles(all), *unbiased = suite_doubles(all);
    const struct statistics_made made = {net, before, batch, unbiased};

    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];
        const size_t c = layer->weights, at = step_running_stats_offset(net, i);
        const size_t plane = shape_elements(&layer->in) / (size_t)
                             layer->in.channels;
        const size_t m = plane * (size_t)fixture->step.count;
        const double *in = i ? fixture->x->out[i - 1] : fixture->images;

        for (size_t k = 0; layer->kind == LAYER_BATCHNORM && k < c; k++) {
            double sum = 0, squares = 0;

            for (size_t j = 0; j < m; j++)
                sum += in[(j / plane * c + k) * plane + j % plane];
            for (size_t j = 0; j < m; j++)
                squares += pow(in[(j / plane * c + k) * plane + j % plane]
                               - sum / (double)m, 2);
            want[at + k] = 0.9 * (double)before[at + k]
                           + 0.1 * sum / (double)m;
            want[at + c + k] = 0.9 * (double)before[at + c + k]
                               + 0.1 * squares / (double)(m - (m > 1));
            batch[at + k] = sum / (double)m;
            batch[at + c + k] = squares / (double)m;
            unbiased[at + k] = 1;
            unbiased[at + c + k] = (double)m / (double)(m - (m > 1));
            tolerance[at + k] = tolerance[at + c + k] =
                relative_tolerance * (0.25 + fabs(want[at + c + k]));
        }
    }
    if (all)
        compare_and_explain("d_running_stats", fixture->step.d_running_stats,
                            want, tolerance, all, trainer_statistics_mistakes,
                            &made);
}

/* Compares parameters and those moments that the optimizer uses. */
static void compare_state(struct update_made *made, const double *tolerance)
{
    const struct fixture *fixture = made->fixture;
    const enum optimizer optimizer = fixture->net.training.optimizer;
    const size_t n = fixture->net.parameters;
    const int outputs = optimizer >= OPTIMIZER_ADAM  ? 3
                        : optimizer == OPTIMIZER_SGD ? 1 : 2;
    const struct {
        const char *name;
        const float *got;
        const double *want;
    } output[] = {
        {"d_parameters", fixture->step.d_parameters, fixture->x->parameters},
        {"d_moment1", fixture->step.d_moment1, fixture->x->moments},
        {"d_moment2", fixture->step.d_moment2, fixture->x->moments + n}};

    for (int k = 0; k < outputs; k++) {
        made->output = k;
        compare_and_explain(output[k].name, output[k].got, output[k].want,
                            tolerance + (size_t)k * n, n,
                            trainer_update_mistakes, made);
    }
}

/* Compares parameters and moments after an update. */
static void compare_parameters(struct fixture *fixture, const double *before)
{
    struct reference *x = fixture->x;
    const struct training *how = &fixture->net.training;
    const struct step *step = &fixture->step;
    const size_t n = fixture->net.parameters;
    const double learning_rate = (double)*step->d_learning_rate,
                 weight_decay = (double)how->weight_decay;
    double *tolerance = suite_doubles(3 * n);
    struct update_made made = {fixture, before, learning_rate, 0};

    for (size_t i = 0; i < n; i++)
        x->gradients[i] = (double)step->d_gradients[i];
    x->step = *step->d_step - 1;
    reference_optimizer_step(x, learning_rate);
    for (size_t i = 0; i < n; i++) {
        const double decay_term = weight_decay * fabs(before[i]);
        const double gradient_size = fabs(x->gradients[i]) + decay_term;
        const double first =
            relative_tolerance * (fabs(before[n + i]) + gradient_size);
        const double second =
            relative_tolerance
            * (before[2 * n + i] + gradient_size * gradient_size);
        const double bias_correction2 = 1 - pow(0.999, x->step);
        double update_tolerance =
            learning_rate * (first + relative_tolerance * decay_term);

        if (how->optimizer >= OPTIMIZER_ADAM)
            update_tolerance =
                learning_rate
                * (relative_tolerance * decay_term
                   + 8 * (first + fabs(x->moments[i]))
                   * (first / (fabs(x->moments[i]) + first)
                      + second / (x->moments[n + i] + second)
                      + relative_tolerance)
                   / (1 - pow(0.9, x->step))
                   / (sqrt(x->moments[n + i] / bias_correction2)
                      + 1e-8));
        tolerance[i] = 0x1p-22 * fabs(before[i]) + update_tolerance;
        tolerance[n + i] = first;
        tolerance[2 * n + i] = second;
    }
    compare_state(&made, tolerance);
}

/* Copies the lab's state to the reference, so that errors do not accumulate. */
static void copy_state_to_reference(struct fixture *fixture)
{
    const size_t n = fixture->net.parameters;

    for (size_t i = 0; i < n; i++) {
        fixture->x->parameters[i] = (double)fixture->step.d_parameters[i];
        fixture->x->moments[i] = (double)fixture->step.d_moment1[i];
        fixture->x->moments[n + i] = (double)fixture->step.d_moment2[i];
    }
}

/* Undo an update that is not checked: it may use gradients that are not written
 * yet, and the outputs of the next step must not depend on them. */
static void restore_state(struct fixture *fixture, const double *before)
{
    const size_t n = fixture->net.parameters;

    for (size_t i = 0; i < n; i++) {
        fixture->step.d_parameters[i] = (float)before[i];
        fixture->step.d_moment1[i] = (float)before[n + i];
        fixture->step.d_moment2[i] = (float)before[2 * n + i];
    }
}

/* Where an earlier lab's function refuses its arguments. */
static const char no_clipping[] =
    "If a function of an earlier lab refuses its arguments: this network has "
    "no clip, so its max_grad_norm is 0, and clip_grad_norm() must not be "
    "called.";

void fixture_check_step(struct fixture *fixture, enum checked checked)
{
    enum { INVALID_VALUE = 1 }; /* cudaErrorInvalidValue */
    const struct step *step = &fixture->step;
    const size_t n = fixture->net.parameters;
    const size_t running = step_running_stats_count(&fixture->net);
    double *before = suite_doubles(3 * n), losses;
    unsigned char *memory = suite_bytes(fixture->bytes);
    float *running_before = suite_floats(running), totals[2];
    const int steps_done = *step->d_step;
    int status;

    if (suite_failed())
        return;
    memcpy(before, fixture->x->parameters, n * sizeof *before);
    memcpy(before + n, fixture->x->moments, 2 * n * sizeof *before);
    memcpy(running_before, step->d_running_stats,
           running * sizeof *running_before);
    memcpy(totals, step->d_totals, sizeof totals);
    memcpy(memory, fixture->memory, fixture->bytes);
    fixture->before = memory;
    losses = reference_backward(fixture->x, fixture->images, step->d_labels,
                                step->count) * step->count;
    status = train_step(step);
    expect_success(status);
    if (status == INVALID_VALUE && fixture->net.training.max_grad_norm == 0)
        suite_hint(no_clipping);
    expect_that(*step->d_step == steps_done + 1, "*d_step is %d, should be %d",
                *step->d_step, steps_done + 1);
    compare_outputs(fixture, true);
    if (checked & CHECK_TOTALS)
        compare_totals(fixture, totals, losses, true);
    if (checked & CHECK_GRADIENTS) {
        compare_running_statistics(fixture, running_before);
        compare_gradients(fixture);
    }
    if ((checked & CHECK_UPDATE) == CHECK_UPDATE)
        compare_parameters(fixture, before);
    else
        restore_state(fixture, before);
    fixture_check_padding(fixture);
    copy_state_to_reference(fixture);
}

void fixture_check_evaluation(struct fixture *fixture)
{
    const struct step *step = &fixture->step;
    const size_t n = (size_t)fixture->max_images;
    unsigned char *before = suite_bytes(fixture->bytes);
    const double losses = fixture_forward(fixture, EVALUATION_RIGHT);
    float totals[2];

    memcpy(before, fixture->memory, fixture->bytes);
    memcpy(totals, step->d_totals, sizeof totals);
    expect_success(train_evaluate(step));
    compare_outputs(fixture, false);
    compare_totals(fixture, totals, losses, false);
    fixture_check_padding(fixture);
    for (int i = 0; i < fixture->net.count && !suite_failed(); i++) {
        const struct layer *layer = &fixture->net.layers[i];
        const size_t out = n * shape_elements(&layer->out) * sizeof(float);
        const unsigned char *back = (unsigned char *)step->d_out_grad[i];

        expect_that(!memcmp(before + (back - fixture->memory), back, out),
                    "d_out_grad[%d] changed; an evaluation should leave it", i);
        if (suite_failed() && i + 1 == fixture->net.count)
            suite_hint("The loss comes with the gradient of the last output: "
                       "in an evaluation it belongs into a buffer of "
                       "d_workspace, as d_buffer[DISCARDED].");
    }
}

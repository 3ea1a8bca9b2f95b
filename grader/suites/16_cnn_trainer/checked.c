/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: a step and an evaluation held against double. */
#include <stdio.h>

#include "suite_16.h"

/* What a sum of a few hundred numbers may be off by, of the largest result. */
static const double share = 0x1p-15;

void trainer_expect(const char *name, const float *got, const double *want,
                    const double *slack, size_t n)
{
    double *scale = suite_doubles(n);

    for (size_t i = 0; i < n; i++)
        scale[i] = slack[i] * 0x1p23; /* compare.h: 2 * 1 * 2^-24 * scale */
    expect_elements(&(struct expected){.name = name, .got = got, .want = want,
                                       .type = FLOAT32, .size = {n},
                                       .steps = 1, .scale = scale});
}

static double largest(const double *of, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(of[i]));
    return most;
}

/* Some of a layer's gradients, in the words of a network's file. */
static void check_part(const struct trial *trial, const struct layer *layer,
                       bool biases, double most)
{
    const size_t at = biases ? layer->bias_at : layer->weight_at;
    const size_t n = biases ? layer->biases : layer->weights;
    const bool norm = layer->kind == LAYER_BATCHNORM;
    double *slack = suite_doubles(n);
    char name[96];

    for (size_t i = 0; i < n; i++)
        slack[i] = share * most;
    snprintf(name, sizeof name, "d_gradients, %s's %s", layer->name,
             biases ? "biases" : norm ? "scales" : "weights");
    trainer_expect(name, trial->step.d_gradients + at,
                   trial->x->gradients + at, slack, n);
}

/* The gradient of each layer, as good as its largest element asks; the last
 * layer first, for what is wrong there is wrong in all before it. */
static void check_gradients(const struct trial *trial)
{
    const double *gradients = trial->x->gradients;

    for (int i = trial->net.count - 1; i >= 0 && !suite_failed(); i--) {
        const struct layer *layer = &trial->net.layers[i];
        const double most =
            fmax(largest(gradients + layer->weight_at, layer->weights),
                 largest(gradients + layer->bias_at, layer->biases));

        if (!layer->weights)
            continue;
        check_part(trial, layer, false, most);
        check_part(trial, layer, true, most);
    }
}

/* The last layer's output, the choice, and the totals. */
static void check_outcome(const struct trial *trial, const float *before,
                          double losses)
{
    const struct step *step = &trial->step;
    const int last = trial->net.count - 1, classes = trial->net.classes;
    const size_t n = (size_t)step->count * (size_t)classes;
    const double *out = trial->x->out[last], most = largest(out, n);
    double *slack = suite_doubles(n), right = 0, totals[2], off[2];

    for (size_t i = 0; i < n; i++)
        slack[i] = share * most;
    trainer_expect("d_out[last]", step->d_out[last], out, slack, n);
    for (int i = 0; i < step->count; i++) {
        int best = 0;

        for (int j = 1; j < classes; j++)
            if (out[i * classes + j] > out[i * classes + best])
                best = j;
        right += best == step->d_labels[i];
        expect_that(step->d_chosen[i] == best,
                    "d_chosen[%d] is %d, should be %d", i, step->d_chosen[i],
                    best);
    }
    totals[0] = (double)before[0] + losses;
    totals[1] = (double)before[1] + right;
    off[0] = share * (fabs(totals[0]) + most * step->count * 0x1p-3);
    off[1] = 0;
    trainer_expect("d_totals", step->d_totals, totals, off, 2);
}

/* Running averages, moved a tenth of the way. */
static void check_running(const struct trial *trial, const float *before)
{
    const struct network *net = &trial->net;
    const size_t all = step_running(net);
    double *want = suite_doubles(all), *slack = suite_doubles(all);

    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];
        const size_t c = layer->weights, at = step_running_at(net, i);
        const size_t plane = layer_elements(&layer->in) / (size_t)
                             layer->in.channels;
        const size_t m = plane * (size_t)trial->step.count;
        const double *in = i ? trial->x->out[i - 1] : trial->images;

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
            slack[at + k] = slack[at + c + k] =
                share * (0.25 + fabs(want[at + c + k]));
        }
    }
    if (all)
        trainer_expect("d_running", trial->step.d_running, want, slack, all);
}

/* What parameters and moments may be off by after an update. */
static void check_update(struct trial *trial, const double *before)
{
    struct reference *x = trial->x;
    const struct training *how = &trial->net.training;
    const struct step *step = &trial->step;
    const size_t n = trial->net.parameters;
    const double rate = (double)*step->d_rate, decay = (double)how->decay;
    double *slack = suite_doubles(3 * n);

    for (size_t i = 0; i < n; i++)
        x->gradients[i] = (double)step->d_gradients[i];
    x->step = *step->d_step - 1;
    reference_update(x, rate);
    for (size_t i = 0; i < n; i++) {
        const double pull = decay * fabs(before[i]);
        const double force = fabs(x->gradients[i]) + pull;
        const double first = share * (fabs(before[n + i]) + force);
        const double second = share * (before[2 * n + i] + force * force);
        const double fix = 1 - pow(0.999, x->step);
        double move = rate * (first + share * pull);

        if (how->optimizer >= OPTIMIZER_ADAM)
            move = rate * (share * pull
                           + 8 * (first + fabs(x->moments[i]))
                                 * (first / (fabs(x->moments[i]) + first)
                                    + second / (x->moments[n + i] + second)
                                    + share)
                                 / (1 - pow(0.9, x->step))
                                 / (sqrt(x->moments[n + i] / fix) + 1e-8));
        slack[i] = 0x1p-22 * fabs(before[i]) + move;
        slack[n + i] = first;
        slack[2 * n + i] = second;
    }
    trainer_expect("d_parameters", step->d_parameters, x->parameters, slack,
                   n);
    if (how->optimizer != OPTIMIZER_SGD)
        trainer_expect("d_first", step->d_first, x->moments, slack + n, n);
    if (how->optimizer >= OPTIMIZER_ADAM)
        trainer_expect("d_second", step->d_second, x->moments + n,
                       slack + 2 * n, n);
}

/* From here on the reference has what the lab wrote. */
static void follow(struct trial *trial)
{
    const size_t n = trial->net.parameters;

    for (size_t i = 0; i < n; i++) {
        trial->x->parameters[i] = (double)trial->step.d_parameters[i];
        trial->x->moments[i] = (double)trial->step.d_first[i];
        trial->x->moments[n + i] = (double)trial->step.d_second[i];
    }
}

void trial_step(struct trial *trial)
{
    const struct step *step = &trial->step;
    const size_t n = trial->net.parameters;
    const size_t running = step_running(&trial->net);
    double *before = suite_doubles(3 * n), losses;
    float *averages = suite_floats(running), totals[2];
    const int made = *step->d_step;

    if (suite_failed())
        return;
    memcpy(before, trial->x->parameters, n * sizeof *before);
    memcpy(before + n, trial->x->moments, 2 * n * sizeof *before);
    memcpy(averages, step->d_running, running * sizeof *averages);
    memcpy(totals, step->d_totals, sizeof totals);
    losses = reference_back(trial->x, trial->images, step->d_labels,
                            step->count) * step->count;
    expect_success(train_step(step));
    expect_that(*step->d_step == made + 1, "*d_step is %d, should be %d",
                *step->d_step, made + 1);
    check_outcome(trial, totals, losses);
    check_running(trial, averages);
    check_gradients(trial);
    check_update(trial, before);
    trial_gaps(trial);
    follow(trial);
}

void trial_evaluate(struct trial *trial)
{
    const struct step *step = &trial->step;
    const size_t n = (size_t)trial->room;
    unsigned char *before = suite_bytes(trial->bytes);
    const double losses = trial_forward(trial);
    float totals[2];

    memcpy(before, trial->memory, trial->bytes);
    memcpy(totals, step->d_totals, sizeof totals);
    expect_success(train_evaluate(step));
    check_outcome(trial, totals, losses);
    trial_gaps(trial);
    for (int i = 0; i < trial->net.count && !suite_failed(); i++) {
        const struct layer *layer = &trial->net.layers[i];
        const size_t out = n * layer_elements(&layer->out) * sizeof(float);
        const unsigned char *back = (unsigned char *)step->d_back[i];

        expect_that(!memcmp(before + (back - trial->memory), back, out),
                    "d_back[%d] changed; an evaluation should leave it", i);
    }
}

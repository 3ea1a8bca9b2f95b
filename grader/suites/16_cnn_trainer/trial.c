/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: a network with its arrays, and inputs for it. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/net/reference_layers.h"
#include "suite_16.h"

enum { ALIGN = 256, GAP = 0xb5 };

/* Read a network from a text. */
static void read_net(struct network *net, const struct plan *plan)
{
    const size_t length = strlen(plan->text);
    struct failure why = {""};
    char path[64];
    int file = memfd_create("net", MFD_CLOEXEC);
    bool ok = file >= 0
              && write(file, plan->text, length) == (ssize_t)length;

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ok = ok && network_read(path, plan->in, plan->classes, net, &why);
    if (file >= 0)
        close(file);
    expect_that(ok, "a defect of the suite: %s", why.text);
}

void trial_case(const struct plan *plan, int images)
{
    const char *end = strstr(plan->text, "\ntrain");
    char words[256];
    size_t used = 0;

    for (const char *at = plan->text; at < end && used + 3 < sizeof words;
         at++) {
        if (*at == '\n')
            words[used++] = ',';
        words[used++] = *at == '\n' ? ' ' : *at;
    }
    words[used] = 0;
    suite_case("a net of %s; %d image%s", words, images,
               images == 1 ? "" : "s");
}

/* Do this with each array of a layer: out, back, which, saved. */
static void each_array(const struct trial *trial,
                       void (*what)(unsigned char *data, size_t bytes))
{
    for (int i = 0; i < trial->net.count; i++) {
        const struct layer *layer = &trial->net.layers[i];
        const size_t out =
            (size_t)trial->room * layer_elements(&layer->out) * sizeof(float);

        what((unsigned char *)trial->step.d_out[i], out);
        what((unsigned char *)trial->step.d_back[i], out);
        if (layer->kind == LAYER_MAXPOOL)
            what((unsigned char *)trial->step.d_which[i], out);
        if (layer->kind == LAYER_BATCHNORM)
            what((unsigned char *)trial->step.d_saved[i],
                 2 * layer->weights * sizeof(float));
    }
}

static size_t gap_after(size_t bytes)
{
    return (ALIGN - bytes % ALIGN) % ALIGN;
}

static void fill_gap(unsigned char *data, size_t bytes)
{
    memset(data + bytes, GAP, gap_after(bytes));
}

static void check_gap(unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < gap_after(bytes); i++)
        expect_that(data[bytes + i] == GAP, "something was written %zu bytes "
                    "behind the end of a layer's array", i);
}

void trial_gaps(const struct trial *trial)
{
    if (!suite_failed())
        each_array(trial, check_gap);
}

/* Parameters, and running averages that batches have left. */
static void draw_parameters(struct trial *trial)
{
    struct step *step = &trial->step;

    network_initialise(&trial->net, step->d_parameters, random_bits());
    for (int i = 0; i < trial->net.count; i++) {
        const struct layer *layer = &trial->net.layers[i];
        const size_t c = layer->weights;
        float *running = step->d_running + step_running_at(&trial->net, i);

        random_floats(step->d_parameters + layer->bias_at, layer->biases,
                      -0.3, 0.3);
        if (layer->kind != LAYER_BATCHNORM)
            continue;
        random_floats(step->d_parameters + layer->weight_at, c, 0.5, 1.5);
        random_floats(running, c, -0.5, 0.5);
        random_floats(running + c, c, 0.5, 1.5);
    }
}

bool trial_begin(struct trial *trial, const struct plan *plan, int room)
{
    *trial = (struct trial){.room = room};
    read_net(&trial->net, plan);
    if (suite_failed())
        return false;
    trial->work = train_workspace(&trial->net, room);
    trial->bytes = step_layout(&trial->net, room, trial->work, NULL,
                               &trial->step);
    trial->memory = suite_bytes(trial->bytes);
    step_layout(&trial->net, room, trial->work, trial->memory, &trial->step);
    each_array(trial, fill_gap);
    draw_parameters(trial);
    *trial->step.d_rate = 0.05f;
    trial->step.seed = random_bits();
    trial->images =
        suite_doubles((size_t)room * layer_elements(&trial->net.in));
    trial->x = reference_make(&trial->net, room, trial->step.d_parameters);
    expect_that(trial->x != NULL, "no memory");
    return !suite_failed();
}

void trial_end(struct trial *trial)
{
    reference_free(trial->x);
    trial->x = NULL;
}

/* How far the two largest numbers of a window or row are apart; equal ones
 * are equal in any arithmetic here. */
static double lead(const double *in, size_t rows, size_t columns,
                   size_t pitch)
{
    double best = -INFINITY, second = -INFINITY;

    for (size_t i = 0; i < rows * columns; i++) {
        const double now = in[i / columns * pitch + i % columns];

        if (now > best) {
            second = best;
            best = now;
        } else if (now > second) {
            second = now;
        }
    }
    return best == second ? INFINITY : best - second;
}

/* How near layer i's input is to another outcome. */
static double margin(const struct layer *layer, const double *in, int count)
{
    const size_t width = (size_t)layer->in.width;
    const size_t plane = width * (size_t)layer->in.height;
    const size_t q = (size_t)layer->out.width;
    const size_t windows = q * (size_t)layer->out.height;
    const size_t planes = (size_t)count * (size_t)layer->in.channels;
    double least = INFINITY;

    if (layer->kind == LAYER_RELU)
        for (size_t i = 0; i < planes * plane; i++)
            least = fmin(least, in[i] ? fabs(in[i]) : INFINITY);
    if (layer->kind == LAYER_MAXPOOL)
        for (size_t i = 0; i < planes * windows; i++) {
            const size_t at = i % windows;
            const double *window =
                in + i / windows * plane
                + (at / q * width + at % q) * (size_t)layer->stride;

            least = fmin(least, lead(window, (size_t)layer->rows,
                                     (size_t)layer->columns, width));
        }
    return least;
}

static bool is_clear(struct trial *trial, bool training)
{
    enum { CLEAR = 1 << 18 }; /* rounding is some 2^-22 here */
    const struct network *net = &trial->net;
    const int count = trial->step.count, last = net->count - 1;
    double least = INFINITY;

    if (training)
        reference_loss(trial->x, trial->images, trial->step.d_labels, count);
    else
        trial_forward(trial);
    for (int i = 0; i < net->count; i++)
        least = fmin(least, margin(&net->layers[i],
                                   i ? trial->x->out[i - 1] : trial->images,
                                   count));
    for (int n = 0; n < count; n++)
        least = fmin(least, lead(trial->x->out[last]
                                     + (size_t)n * (size_t)net->classes, 1,
                                 (size_t)net->classes, 0));
    return least > 1.0 / CLEAR;
}

void trial_draw(struct trial *trial, int count)
{
    struct step *step = &trial->step;
    const size_t n = (size_t)count * layer_elements(&trial->net.in);

    step->count = count;
    for (int tries = 0; tries < 50 && !suite_failed(); tries++) {
        random_floats(step->d_images, n, -1, 1);
        for (int i = 0; i < count; i++)
            step->d_labels[i] =
                (unsigned char)random_between(0, trial->net.classes - 1);
        for (size_t i = 0; i < n; i++)
            trial->images[i] = (double)step->d_images[i];
        if (is_clear(trial, true) && is_clear(trial, false))
            return;
    }
}

/* Batchnorm by the running averages. */
static void scale_by_running(struct trial *trial, int i, const double *in)
{
    const struct layer *layer = &trial->net.layers[i];
    const size_t c = layer->weights, all = layer_elements(&layer->in);
    const size_t plane = all / c;
    const double *parameters = trial->x->parameters;
    const float *running =
        trial->step.d_running + step_running_at(&trial->net, i);

    for (size_t j = 0; j < (size_t)trial->step.count * all; j++) {
        const size_t channel = j / plane % c;

        trial->x->out[i][j] =
            parameters[layer->weight_at + channel]
                * (in[j] - (double)running[channel])
                / sqrt((double)running[c + channel] + 1e-5)
            + parameters[layer->bias_at + channel];
    }
}

double trial_forward(struct trial *trial)
{
    struct reference *x = trial->x;
    const int last = trial->net.count - 1, classes = trial->net.classes;
    double sum = 0;

    for (int i = 0; i <= last; i++) {
        const double *in = i ? x->out[i - 1] : trial->images;

        if (trial->net.layers[i].kind == LAYER_BATCHNORM)
            scale_by_running(trial, i, in);
        else
            reference_forward(x, i, in, trial->step.count);
    }
    for (int n = 0; n < trial->step.count; n++) {
        const double *out = x->out[last] + (size_t)n * (size_t)classes;
        double most = out[0], powers = 0;

        for (int j = 1; j < classes; j++)
            most = fmax(most, out[j]);
        for (int j = 0; j < classes; j++)
            powers += exp(out[j] - most);
        sum += log(powers) + most - out[trial->step.d_labels[n]];
    }
    return sum;
}

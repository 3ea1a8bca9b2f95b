/* SPDX-License-Identifier: MIT */
/* Lab 15's functions in the trusted process: each ships its call. */
#include "runner/calls/15_optimizers.h"

#include "suite_15.h"

/* An array that a step replaces, or nothing. */
static void replaced(float *data, size_t n)
{
    call_inout(ON_DEVICE, data, data ? n * sizeof *data : 0);
}

/* The arguments that both steps share, in the order of update_argument. */
static void begin_step(enum optimizers_call which, const struct update *u,
                       int flag, float weight_decay)
{
    static const float one = 1;
    static const int first = 1;

    call_begin(which);
    call_parameters("(u.d_params, u.d_grads, u.d_first, u.d_second, u.d_rate, "
                    "u.d_scale, u.d_step)");
    replaced(u->d_params, u->n);
    call_in(ON_DEVICE, u->d_grads, u->n * sizeof *u->d_grads);
    replaced(u->d_first, u->n);
    replaced(u->d_second, u->n);
    call_in(ON_DEVICE, u->d_rate, sizeof *u->d_rate);
    call_in(ON_DEVICE, u->d_scale ? u->d_scale : &one, sizeof *u->d_scale);
    call_in(ON_DEVICE, u->d_step ? u->d_step : &first, sizeof *u->d_step);
    call_integer((int64_t)u->n);
    call_integer((int64_t)u->decayed);
    call_integer((u->d_first ? 0 : 1) + (u->d_second ? 0 : 2)
                 + (u->d_scale ? 0 : 4));
    call_integer(flag);
    call_real(weight_decay);
}

int sgd_step(const struct update *u, const struct sgd *how)
{
    begin_step(SGD_STEP, u, how->nesterov, how->weight_decay);
    call_real(how->momentum);
    return (int)call_end();
}

int adam_step(const struct update *u, const struct adam *how)
{
    begin_step(ADAM_STEP, u, how->decoupled, how->weight_decay);
    call_real(how->beta1);
    call_real(how->beta2);
    call_real(how->epsilon);
    return (int)call_end();
}

int clip_norm(const float *d_grads, size_t n, float most, float *d_norm,
              float *d_work)
{
    call_begin(CLIP_NORM);
    call_parameters("(d_grads, d_norm, d_work)");
    call_in(ON_DEVICE, d_grads, n * sizeof *d_grads);
    call_out(ON_DEVICE, d_norm, 2 * sizeof *d_norm);
    call_out(ON_DEVICE, d_work, CLIP_WORK(n) * sizeof *d_work);
    call_integer((int64_t)n);
    call_real(most);
    return (int)call_end();
}

int next_step(const struct schedule *how, int *d_step, float *d_rate)
{
    call_begin(NEXT_STEP);
    call_parameters("(d_step, d_rate)");
    call_inout(ON_DEVICE, d_step, sizeof *d_step);
    call_out(ON_DEVICE, d_rate, sizeof *d_rate);
    call_integer(how->kind);
    call_integer(how->warmup);
    call_integer(how->every);
    call_integer(how->total);
    call_real(how->rate);
    call_real(how->factor);
    call_real(how->least);
    return (int)call_end();
}

struct buffers buffers_new(size_t n)
{
    struct buffers b = {.n = n, .params = suite_floats(n),
                        .grads = suite_floats(n), .first = suite_floats(n),
                        .second = suite_floats(n), .rate = 0.01f, .scale = 1,
                        .step = 1};

    random_floats(b.params, n, -2, 2);
    buffers_grads(&b);
    return b;
}

void buffers_grads(struct buffers *b)
{
    random_floats(b->grads, b->n, -3, 3);
}

struct update buffers_update(const struct buffers *b, size_t decayed)
{
    return (struct update){.d_params = b->params, .d_grads = b->grads,
                           .d_first = b->first, .d_second = b->second,
                           .n = b->n, .decayed = decayed, .d_rate = &b->rate,
                           .d_scale = &b->scale, .d_step = &b->step};
}

void optimizers_expect(const char *name, const float *got, const double *want,
                       const double *slack, size_t n)
{
    double *scale = slack ? suite_doubles(n) : NULL;

    for (size_t i = 0; slack && i < n; i++)
        scale[i] = slack[i] * 0x1p23; /* compare.h: 2 * 1 * 2^-24 * scale */
    expect_elements(&(struct expected){.name = name, .got = got, .want = want,
                                       .type = FLOAT32, .size = {n},
                                       .steps = slack != NULL,
                                       .scale = scale});
}

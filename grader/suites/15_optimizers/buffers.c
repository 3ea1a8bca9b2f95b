/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: buffers of a network in training, and comparing them. */
#include "suite_15.h"

struct buffers buffers_create(size_t n)
{
    struct buffers b = {.n = n, .params = suite_floats(n),
                        .grads = suite_floats(n), .first = suite_floats(n),
                        .second = suite_floats(n), .scale = 1, .step = 1,
                        .rate = (float)random_uniform(0.004, 0.04)};

    random_floats(b.params, n, -2, 2);
    buffers_randomize_grads(&b);
    return b;
}

void buffers_randomize_grads(struct buffers *b)
{
    random_floats(b->grads, b->n, -3, 3);
}

struct update buffers_to_update(const struct buffers *b, size_t decay_count)
{
    return (struct update){.d_params = b->params, .d_grads = b->grads,
                           .d_moment1 = b->first, .d_moment2 = b->second,
                           .n = b->n, .decay_count = decay_count,
                           .d_learning_rate = &b->rate,
                           .d_scale = b->no_scale ? NULL : &b->scale,
                           .d_step = &b->step};
}

void optimizers_compare(const char *name, const float *got, const double *want,
                       const double *tolerance, size_t n)
{
    double *scale = tolerance ? suite_doubles(n) : NULL;

    for (size_t i = 0; tolerance && i < n; i++)
        scale[i] = tolerance[i] * 0x1p23; /* compare.h's tolerance: 2 * 1 *
                                             2^-24 * scale */
    expect_elements(&(struct expected){.name = name, .got = got, .want = want,
                                       .type = FLOAT32, .size = {n},
                                       .steps = tolerance != NULL,
                                       .scale = scale});
}

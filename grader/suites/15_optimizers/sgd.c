/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: SGD, momentum, Nesterov, weight decay. */
#include "suite_15.h"

static const double eps = 0x1p-24;
static const size_t sizes[] = {1,   2,   3,   4,   5,    31,   32,   33,
                               255, 256, 257, 511, 1023, 1025, 2003, 7919};

/* What one step makes of the buffers, and how far off each may be. */
struct stepped {
    double *params, *params_slack, *first, *first_slack;
};

static struct stepped step_in_double(const struct buffers *b, size_t decayed,
                                     const struct sgd *how)
{
    const size_t n = b->n;
    struct stepped s = {suite_doubles(n), suite_doubles(n), suite_doubles(n),
                        suite_doubles(n)};

    for (size_t i = 0; i < n; i++) {
        const double p = b->params[i], g = (double)b->scale * b->grads[i];
        const double decay = i < decayed ? (double)how->weight_decay * p : 0;
        const double kept = (double)how->momentum * b->first[i];
        const double v = kept + g + decay, sum = fabs(kept) + fabs(g)
                                                 + fabs(decay);
        const double look = how->nesterov ? g + decay + how->momentum * v : v;

        s.first[i] = how->momentum > 0 ? v : b->first[i];
        s.first_slack[i] = how->momentum > 0 ? 16 * eps * sum : 0;
        s.params[i] = p - b->rate * look;
        s.params_slack[i] = 16 * eps * (fabs(p) + 2 * b->rate * sum);
    }
    return s;
}

void optimizers_try_sgd(struct buffers *b, size_t decayed,
                        const struct sgd *how)
{
    const struct stepped want = step_in_double(b, decayed, how);
    struct update u = buffers_update(b, decayed);

    u.d_second = NULL;
    if (how->momentum == 0)
        u.d_first = NULL;
    expect_success(sgd_step(&u, how));
    optimizers_expect("params", b->params, want.params, want.params_slack,
                      b->n);
    if (how->momentum > 0)
        optimizers_expect("velocities", b->first, want.first, want.first_slack,
                          b->n);
}

/* Some steps of all sizes. */
static void all_sizes(const char *name, const struct sgd *how, int steps)
{
    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        struct buffers b = buffers_new(sizes[i]);

        for (b.step = 1; b.step <= steps && !suite_failed(); b.step++) {
            suite_case("%s, n = %zu, step %d", name, sizes[i], b.step);
            optimizers_try_sgd(&b, b.n, how);
            buffers_grads(&b);
        }
    }
}

/* Fifty steps of one size. */
static void fifty(const char *name, const struct sgd *how)
{
    struct buffers b = buffers_new(101);

    for (b.step = 1; b.step <= 50 && !suite_failed(); b.step++) {
        suite_case("%s, n = %zu, step %d", name, b.n, b.step);
        optimizers_try_sgd(&b, b.n, how);
        buffers_grads(&b);
    }
}

void optimizers_sgd(void)
{
    all_sizes("sgd", &(struct sgd){0}, 1);
    fifty("sgd", &(struct sgd){0});
}

void optimizers_momentum(void)
{
    all_sizes("sgd with momentum", &(struct sgd){.momentum = 0.9f}, 2);
    fifty("sgd with momentum", &(struct sgd){.momentum = 0.9f});
}

void optimizers_nesterov(void)
{
    const struct sgd how = {.momentum = 0.8f, .nesterov = 1};

    all_sizes("nesterov", &how, 2);
    fifty("nesterov", &how);
}

/* Decay of all parameters, of the first few, of none; ends within a quad. */
void optimizers_decay(void)
{
    static const size_t decayed[] = {0, 1, 2, 3, 6, 255, 256, 402, 403};

    for (size_t i = 0; i < 3 * COUNT(decayed) && !suite_failed(); i++) {
        struct buffers b = buffers_new(403);
        const struct sgd how = {.momentum = i % 3 ? 0.9f : 0,
                                .nesterov = i % 3 == 2, .weight_decay = 0.1f};

        for (b.step = 1; b.step <= 3 && !suite_failed(); b.step++) {
            suite_case("sgd, the first %zu of 403 decay, step %d",
                       decayed[i / 3], b.step);
            optimizers_try_sgd(&b, decayed[i / 3], &how);
        }
    }
}

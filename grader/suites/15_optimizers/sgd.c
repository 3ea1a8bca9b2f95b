/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: SGD, momentum, Nesterov, weight decay. */
#include "mistakes.h"
#include "suite_15.h"

static const double float_epsilon = 0x1p-24;
static const size_t sizes[] = {1,   2,   3,   4,   5,    31,   32,   33,
                               255, 256, 257, 511, 1023, 1025, 2003, 7919};

/* Expected buffers after one step, with tolerances. */
struct sgd_result {
    double *params, *params_tolerance, *first, *first_tolerance;
};

static struct sgd_result sgd_reference(const struct buffers *b,
                                       size_t decay_count,
                                       const struct sgd *options)
{
    const size_t n = b->n;
    struct sgd_result s = {suite_doubles(n), suite_doubles(n), suite_doubles(n),
                        suite_doubles(n)};

    for (size_t i = 0; i < n; i++) {
        const double p = b->params[i], g = (double)b->scale * b->grads[i];
        const double decay =
            i < decay_count ? (double)options->weight_decay * p : 0;
        const double momentum_term = (double)options->momentum * b->first[i];
        const double v = momentum_term + g + decay,
                     sum = fabs(momentum_term) + fabs(g) + fabs(decay);
        const double direction =
            options->nesterov ? g + decay + options->momentum * v : v;

        s.first[i] = options->momentum > 0 ? v : b->first[i];
        s.first_tolerance[i] =
            options->momentum > 0 ? 16 * float_epsilon * sum : 0;
        s.params[i] = p - b->rate * direction;
        s.params_tolerance[i] =
            16 * float_epsilon * (fabs(p) + 2 * b->rate * sum);
    }
    return s;
}

void optimizers_check_sgd(struct buffers *b, size_t decay_count,
                          const struct sgd *options)
{
    const struct sgd_result want = sgd_reference(b, decay_count, options);
    struct update u = buffers_to_update(b, decay_count);
    const struct step_before before =
        step_before_create(b, decay_count, options, NULL);

    u.d_moment2 = NULL;
    if (options->momentum == 0)
        u.d_moment1 = NULL;
    expect_success(sgd_step(&u, options));
    suite_mistakes(optimizers_mistakes, &before);
    optimizers_compare("params", b->params, want.params, want.params_tolerance,
                       b->n);
    if (options->momentum > 0)
        optimizers_compare("velocities", b->first, want.first,
                           want.first_tolerance, b->n);
    suite_mistakes(NULL, NULL);
}

/* Some steps for each size. */
static void check_sizes(const char *name, const struct sgd *options, int steps)
{
    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        struct buffers b = buffers_create(sizes[i]);

        for (b.step = 1; b.step <= steps && !suite_failed(); b.step++) {
            suite_case("%s, n = %zu, step %d", name, sizes[i], b.step);
            optimizers_check_sgd(&b, b.n, options);
            buffers_randomize_grads(&b);
        }
    }
}

/* 50 steps with 101 parameters: enough to tell which mistake it is, so this
 * comes before other sizes.  With Nesterov's momentum they begin in motion: a
 * velocity of 0 leaves it open which one a step takes. */
static void check_50_steps(const char *name, const struct sgd *options)
{
    struct buffers b = buffers_create(101);

    if (options->nesterov)
        random_floats(b.first, b.n, -3, 3);
    for (b.step = 1; b.step <= 50 && !suite_failed(); b.step++) {
        suite_case("%s, n = %zu, step %d", name, b.n, b.step);
        optimizers_check_sgd(&b, b.n, options);
        buffers_randomize_grads(&b);
    }
}

void optimizers_sgd(void)
{
    check_50_steps("sgd", &(struct sgd){0});
    check_sizes("sgd", &(struct sgd){0}, 1);
}

void optimizers_momentum(void)
{
    check_50_steps("sgd with momentum", &(struct sgd){.momentum = 0.7f});
    check_sizes("sgd with momentum", &(struct sgd){.momentum = 0.9f}, 2);
}

void optimizers_nesterov(void)
{
    const struct sgd options = {.momentum = 0.8f, .nesterov = 1};

    check_50_steps("nesterov", &options);
    check_sizes("nesterov", &options, 2);
}

/* Weight decay of all parameters, the first few, none; the limit also within a
 * float4. */
void optimizers_decay(void)
{
    static const size_t decay_count[] = {6, 0, 1, 2, 3, 255, 256, 402, 403};

    for (size_t i = 0; i < 3 * COUNT(decay_count) && !suite_failed(); i++) {
        struct buffers b = buffers_create(403);
        const struct sgd options = {.momentum = i % 3 ? 0.9f : 0,
                                .nesterov = i % 3 == 2, .weight_decay = 0.1f};

        for (b.step = 1; b.step <= 3 && !suite_failed(); b.step++) {
            suite_case("sgd, the first %zu of 403 decay, step %d",
                       decay_count[i / 3], b.step);
            optimizers_check_sgd(&b, decay_count[i / 3], &options);
        }
    }
}

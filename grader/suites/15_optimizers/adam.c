/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: Adam and AdamW. */
#include "mistakes.h"
#include "suite_15.h"

static const double float_epsilon = 0x1p-24;
static const struct adam default_adam = {.beta1 = 0.9f, .beta2 = 0.999f,
                                  .epsilon = 1e-8f};

/* Expected parameter and moments after one step, with tolerances. */
struct adam_result {
    double param, param_tolerance, first, first_tolerance, second,
        second_tolerance;
};

static struct adam_result adam_reference(const struct buffers *b, size_t i,
                                         bool decays,
                                         const struct adam *options)
{
    const double p = b->params[i], beta1 = options->beta1,
                 beta2 = options->beta2;
    const double decay = decays ? (double)options->weight_decay * p : 0;
    const double coupled = options->decoupled ? 0 : decay;
    const double scaled = (double)b->scale * b->grads[i], g = scaled + coupled;
    const double gradient_error =
        4 * float_epsilon * (fabs(scaled) + fabs(coupled));
    const double bias_correction1 = 1 - pow(beta1, b->step),
                 bias_correction2 = 1 - pow(beta2, b->step);
    struct adam_result m = {.first = beta1 * b->first[i] + (1 - beta1) * g,
                      .second = beta2 * b->second[i] + (1 - beta2) * g * g};
    double root, update_term;

    /* m may also be computed as m + (1 - beta1) * (g - m), and v likewise */
    m.first_tolerance =
        8 * float_epsilon * fabs(b->first[i])
        + (1 - beta1) * (gradient_error + 8 * float_epsilon * fabs(g))
        + 0x1p-140;
    m.second_tolerance = 8 * float_epsilon * (m.second + b->second[i])
                         + (1 - beta2)
                               * (2 * fabs(g) * gradient_error
                                  + gradient_error * gradient_error)
                         + 0x1p-140;
    root = sqrt(m.second / bias_correction2);
    update_term =
        b->rate * (m.first / bias_correction1) / (root + options->epsilon);
    m.param = p - (options->decoupled ? b->rate * decay : 0) - update_term;
    m.param_tolerance =
        8 * float_epsilon * (fabs(p) + b->rate * fabs(decay))
        + 0x1p-13 * fabs(update_term)
        + b->rate * m.first_tolerance / bias_correction1
              / (root + options->epsilon)
        + fabs(update_term) * m.second_tolerance / (2 * m.second + 0x1p-140);
    return m;
}

void optimizers_check_adam(struct buffers *b, size_t decay_count,
                           const struct adam *options)
{
    double *want[6];
    const struct update u = buffers_to_update(b, decay_count);
    const struct step_before before =
        step_before_create(b, decay_count, NULL, options);

    for (int k = 0; k < 6; k++)
        want[k] = suite_doubles(b->n);
    for (size_t i = 0; i < b->n; i++) {
        const struct adam_result m =
            adam_reference(b, i, i < decay_count, options);

        want[0][i] = m.param;
        want[1][i] = m.param_tolerance;
        want[2][i] = m.first;
        want[3][i] = m.first_tolerance;
        want[4][i] = m.second;
        want[5][i] = m.second_tolerance;
    }
    expect_success(adam_step(&u, options));
    suite_mistakes(optimizers_mistakes, &before);
    optimizers_compare("first moments", b->first, want[2], want[3], b->n);
    optimizers_compare("second moments", b->second, want[4], want[5], b->n);
    optimizers_compare("params", b->params, want[0], want[1], b->n);
    suite_mistakes(NULL, NULL);
}

/* Steps 1 to 50, then several sizes. */
void optimizers_adam(void)
{
    static const size_t sizes[] = {1,   2,   3,   4,   5,    31,   32,   33,
                                   255, 256, 257, 511, 1023, 1025, 2003, 7919};
    struct buffers b = buffers_create(101);

    for (b.step = 1; b.step <= 50 && !suite_failed(); b.step++) {
        suite_case("adam, n = %zu, step %d", b.n, b.step);
        optimizers_check_adam(&b, b.n, &default_adam);
        buffers_randomize_grads(&b);
    }
    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        struct buffers other = buffers_create(sizes[i]);

        for (other.step = 1; other.step <= 2; other.step++) {
            suite_case("adam, n = %zu, step %d", sizes[i], other.step);
            optimizers_check_adam(&other, 0, &default_adam);
        }
    }
}

/* Bias correction at early and late steps, with several betas. */
void optimizers_bias_correction(void)
{
    static const float betas[][2] = {{0.9f, 0.999f}, {0, 0.99f}, {0.5f, 0},
                                     {0.99f, 0.99999f}};
    static const int steps[] = {1, 2, 3, 10, 1000, 100000, 2000000000};

    for (size_t i = 0; i < COUNT(betas) * COUNT(steps) && !suite_failed();
         i++) {
        struct buffers b = buffers_create(37);
        const struct adam options = {.beta1 = betas[i / COUNT(steps)][0],
                                 .beta2 = betas[i / COUNT(steps)][1],
                                 .epsilon = 1e-8f};

        b.step = steps[i % COUNT(steps)];
        random_floats(b.params, b.n, -1e-4, 1e-4); /* the update is not
                                                      absorbed */
        if (b.step > 1)
            for (size_t k = 0; k < b.n; k++) {
                b.first[k] = (float)random_uniform(-1, 1);
                b.second[k] = (float)random_uniform(0, 1);
            }
        suite_case("adam, step %d, beta1 %g, beta2 %g", b.step, options.beta1,
                   options.beta2);
        optimizers_check_adam(&b, 0, &options);
    }
}

/* Zero, tiny and huge gradients; a large epsilon. */
void optimizers_epsilon(void)
{
    static const float sizes[] = {0, 1e-15f, 1e-9f, 1e-4f, 1, 1e4f};
    static const float epsilons[] = {1e-8f, 1e-3f, 1};

    for (size_t i = 0; i < COUNT(sizes) * COUNT(epsilons) && !suite_failed();
         i++) {
        struct buffers b = buffers_create(33);
        const float size = sizes[i / COUNT(epsilons)];
        struct adam options = default_adam;

        options.epsilon = epsilons[i % COUNT(epsilons)];
        random_floats(b.params, b.n, -1e-3, 1e-3);
        for (size_t k = 0; k < b.n; k++)
            b.grads[k] = size * (float)random_uniform(-1, 1);
        for (b.step = 1; b.step <= 3 && !suite_failed(); b.step++) {
            suite_case("adam, gradients up to %g, epsilon %g, step %d", size,
                       options.epsilon, b.step);
            optimizers_check_adam(&b, 0, &options);
        }
    }
}

/* Weight decay added to the gradient and decoupled; of all, some, no
 * parameters. */
void optimizers_adamw(void)
{
    static const size_t decay_count[] = {0, 1, 6, 402, 403};

    for (size_t i = 0; i < 2 * COUNT(decay_count) && !suite_failed(); i++) {
        struct buffers b = buffers_create(403);
        struct adam options = default_adam;

        options.decoupled = i % 2;
        options.weight_decay = 0.3f;
        for (b.step = 1; b.step <= 3 && !suite_failed(); b.step++) {
            suite_case("%s, the first %zu of 403 decay, step %d",
                       i % 2 ? "adamw" : "adam", decay_count[i / 2], b.step);
            optimizers_check_adam(&b, decay_count[i / 2], &options);
        }
    }
    struct buffers b = buffers_create(101);
    struct adam options = default_adam;

    options.decoupled = 1;
    options.weight_decay = 0.01f;
    for (b.step = 1; b.step <= 50 && !suite_failed(); b.step++) {
        suite_case("adamw, n = %zu, step %d", b.n, b.step);
        optimizers_check_adam(&b, b.n, &options);
        buffers_randomize_grads(&b);
    }
}

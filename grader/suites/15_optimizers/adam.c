/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: Adam and AdamW. */
#include "suite_15.h"

static const double eps = 0x1p-24;
static const struct adam usual = {.beta1 = 0.9f, .beta2 = 0.999f,
                                  .epsilon = 1e-8f};

/* What one step makes of one parameter. */
struct moved {
    double param, param_slack, first, first_slack, second, second_slack;
};

static struct moved move_one(const struct buffers *b, size_t i, bool decays,
                             const struct adam *how)
{
    const double p = b->params[i], beta1 = how->beta1, beta2 = how->beta2;
    const double decay = decays ? (double)how->weight_decay * p : 0;
    const double coupled = how->decoupled ? 0 : decay;
    const double scaled = (double)b->scale * b->grads[i], g = scaled + coupled;
    const double off = 4 * eps * (fabs(scaled) + fabs(coupled));
    const double fix1 = 1 - pow(beta1, b->step), fix2 = 1 - pow(beta2, b->step);
    struct moved m = {.first = beta1 * b->first[i] + (1 - beta1) * g,
                      .second = beta2 * b->second[i] + (1 - beta2) * g * g};
    double root, move;

    m.first_slack = 8 * eps * fabs(beta1 * b->first[i])
                    + (1 - beta1) * (off + 8 * eps * fabs(g)) + 0x1p-140;
    m.second_slack = 8 * eps * m.second
                     + (1 - beta2) * (2 * fabs(g) * off + off * off)
                     + 0x1p-140;
    root = sqrt(m.second / fix2);
    move = b->rate * (m.first / fix1) / (root + how->epsilon);
    m.param = p - (how->decoupled ? b->rate * decay : 0) - move;
    m.param_slack = 8 * eps * (fabs(p) + b->rate * fabs(decay))
                    + 0x1p-13 * fabs(move)
                    + b->rate * m.first_slack / fix1 / (root + how->epsilon)
                    + fabs(move) * m.second_slack
                          / (2 * m.second + 0x1p-140);
    return m;
}

void optimizers_try_adam(struct buffers *b, size_t decayed,
                         const struct adam *how)
{
    double *want[6];
    const struct update u = buffers_update(b, decayed);

    for (int k = 0; k < 6; k++)
        want[k] = suite_doubles(b->n);
    for (size_t i = 0; i < b->n; i++) {
        const struct moved m = move_one(b, i, i < decayed, how);

        want[0][i] = m.param;
        want[1][i] = m.param_slack;
        want[2][i] = m.first;
        want[3][i] = m.first_slack;
        want[4][i] = m.second;
        want[5][i] = m.second_slack;
    }
    expect_success(adam_step(&u, how));
    optimizers_expect("first moments", b->first, want[2], want[3], b->n);
    optimizers_expect("second moments", b->second, want[4], want[5], b->n);
    optimizers_expect("params", b->params, want[0], want[1], b->n);
}

/* Steps 1 to 50, then sizes. */
void optimizers_adam(void)
{
    static const size_t sizes[] = {1,   2,   3,   4,   5,    31,   32,   33,
                                   255, 256, 257, 511, 1023, 1025, 2003, 7919};
    struct buffers b = buffers_new(101);

    for (b.step = 1; b.step <= 50 && !suite_failed(); b.step++) {
        suite_case("adam, n = %zu, step %d", b.n, b.step);
        optimizers_try_adam(&b, b.n, &usual);
        buffers_grads(&b);
    }
    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        struct buffers other = buffers_new(sizes[i]);

        for (other.step = 1; other.step <= 2; other.step++) {
            suite_case("adam, n = %zu, step %d", sizes[i], other.step);
            optimizers_try_adam(&other, 0, &usual);
        }
    }
}

/* The correction at the first steps and at late ones, with other betas. */
void optimizers_correction(void)
{
    static const float betas[][2] = {{0.9f, 0.999f}, {0, 0.99f}, {0.5f, 0},
                                     {0.99f, 0.99999f}};
    static const int steps[] = {1, 2, 3, 10, 1000, 100000, 2000000000};

    for (size_t i = 0; i < COUNT(betas) * COUNT(steps) && !suite_failed();
         i++) {
        struct buffers b = buffers_new(37);
        const struct adam how = {.beta1 = betas[i / COUNT(steps)][0],
                                 .beta2 = betas[i / COUNT(steps)][1],
                                 .epsilon = 1e-8f};

        b.step = steps[i % COUNT(steps)];
        random_floats(b.params, b.n, -1e-4, 1e-4); /* the move shows */
        if (b.step > 1)
            for (size_t k = 0; k < b.n; k++) {
                b.first[k] = (float)random_real(-1, 1);
                b.second[k] = (float)random_real(0, 1);
            }
        suite_case("adam, step %d, beta1 %g, beta2 %g", b.step, how.beta1,
                   how.beta2);
        optimizers_try_adam(&b, 0, &how);
    }
}

/* Gradients of 0, tiny, and huge; a large epsilon. */
void optimizers_epsilon(void)
{
    static const float sizes[] = {0, 1e-15f, 1e-9f, 1e-4f, 1, 1e4f};
    static const float epsilons[] = {1e-8f, 1e-3f, 1};

    for (size_t i = 0; i < COUNT(sizes) * COUNT(epsilons) && !suite_failed();
         i++) {
        struct buffers b = buffers_new(33);
        const float size = sizes[i / COUNT(epsilons)];
        struct adam how = usual;

        how.epsilon = epsilons[i % COUNT(epsilons)];
        random_floats(b.params, b.n, -1e-3, 1e-3);
        for (size_t k = 0; k < b.n; k++)
            b.grads[k] = size * (float)random_real(-1, 1);
        for (b.step = 1; b.step <= 3 && !suite_failed(); b.step++) {
            suite_case("adam, gradients up to %g, epsilon %g, step %d", size,
                       how.epsilon, b.step);
            optimizers_try_adam(&b, 0, &how);
        }
    }
}

/* Decay through the gradient and beside it; of all, some, none. */
void optimizers_adamw(void)
{
    static const size_t decayed[] = {0, 1, 6, 402, 403};

    for (size_t i = 0; i < 2 * COUNT(decayed) && !suite_failed(); i++) {
        struct buffers b = buffers_new(403);
        struct adam how = usual;

        how.decoupled = i % 2;
        how.weight_decay = 0.3f;
        for (b.step = 1; b.step <= 3 && !suite_failed(); b.step++) {
            suite_case("%s, the first %zu of 403 decay, step %d",
                       i % 2 ? "adamw" : "adam", decayed[i / 2], b.step);
            optimizers_try_adam(&b, decayed[i / 2], &how);
        }
    }
    struct buffers b = buffers_new(101);
    struct adam how = usual;

    how.decoupled = 1;
    how.weight_decay = 0.01f;
    for (b.step = 1; b.step <= 50 && !suite_failed(); b.step++) {
        suite_case("adamw, n = %zu, step %d", b.n, b.step);
        optimizers_try_adam(&b, b.n, &how);
        buffers_grads(&b);
    }
}

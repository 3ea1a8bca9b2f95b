/* SPDX-License-Identifier: MIT */
/* Suite of lab 15: the list of its tests, which are in 15_optimizers/. */
#include "grader/suites/15_optimizers/suite_15.h"

/* One step of a network with a million parameters. */
static void timed(void)
{
    struct buffers b = buffers_create((size_t)1 << 20);

    suite_case("n = %zu", b.n);
    optimizers_check_adam(&b, b.n / 2,
                          &(struct adam){0.9f, 0.999f, 1e-8f, 0.01f, 1});
}

static const struct suite_test tests[] = {
    {"sgd", "plain gradient descent", optimizers_sgd},
    {"momentum", "with momentum", optimizers_momentum},
    {"nesterov", "with Nesterov's momentum", optimizers_nesterov},
    {"decay", "weight decay of the first parameters", optimizers_decay},
    {"adam", "Adam, steps 1 to 50", optimizers_adam},
    {"correction", "bias correction, early and late",
     optimizers_bias_correction},
    {"epsilon", "gradients of 0, tiny and large", optimizers_epsilon},
    {"adamw", "decay in the gradient and decoupled", optimizers_adamw},
    {"scale", "scaled gradients; NaN skips the step", optimizers_scale},
    {"norm", "the norm of all gradients", optimizers_norm},
    {"clip", "clipping: below, at and above the limit", optimizers_clip},
    {"not_finite", "NaN and infinity in the gradients",
     optimizers_nonfinite},
    {"schedule", "learning-rate schedules", optimizers_schedule},
    {"regression", "a softmax regression trained", optimizers_regression},
    {"mlp", "a net with a hidden layer trained", optimizers_mlp},
    {"overfit", "eight examples overfitted", optimizers_overfit},
    {"empty", "no parameters", optimizers_empty},
    {"refused", "invalid options", optimizers_rejects_invalid},
    {"large", "300,007 parameters", optimizers_large},
    {"again", "the same bits each time", optimizers_deterministic},
    {"frees", "no memory is leaked, errors are returned", optimizers_no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"adamw", "AdamW of 1 Mi parameters", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "1 to 5,003 parameters", optimizers_watched_small},
    {"flat", "32,768 parameters", optimizers_watched_cost},
    {NULL, NULL, NULL},
};

const struct suite suite_15_optimizers = {"15_optimizers", tests, speeds,
                                          watched};

/* SPDX-License-Identifier: MIT */
/* Suite of lab 15: the list of its tests; they are in 15_optimizers/. */
#include "suites/15_optimizers/suite_15.h"

/* One step of a net of some size. */
static void timed(void)
{
    struct buffers b = buffers_new((size_t)1 << 20);

    suite_case("n = %zu", b.n);
    optimizers_try_adam(&b, b.n / 2,
                        &(struct adam){0.9f, 0.999f, 1e-8f, 0.01f, 1});
}

static const struct suite_test tests[] = {
    {"sgd", "plain gradient descent", optimizers_sgd},
    {"momentum", "with momentum", optimizers_momentum},
    {"nesterov", "with Nesterov's momentum", optimizers_nesterov},
    {"decay", "weight decay of the first so many", optimizers_decay},
    {"adam", "Adam, steps 1 to 50", optimizers_adam},
    {"correction", "Adam's correction, early and late",
     optimizers_correction},
    {"epsilon", "gradients of 0, tiny and large", optimizers_epsilon},
    {"adamw", "decay through the gradient and beside it", optimizers_adamw},
    {"scale", "a factor of all gradients; NaN: no step", optimizers_scale},
    {"norm", "the norm of all gradients", optimizers_norm},
    {"clip", "clipping: below, at and above the limit", optimizers_clip},
    {"not_finite", "NaN and infinity in the gradients",
     optimizers_not_finite},
    {"schedule", "numbers and rates of steps", optimizers_schedule},
    {"regression", "a softmax regression trained", optimizers_regression},
    {"mlp", "a net with a hidden layer trained", optimizers_mlp},
    {"overfit", "eight examples learnt by heart", optimizers_overfit},
    {"empty", "no parameters", optimizers_empty},
    {"refused", "numbers that make no sense", optimizers_refused},
    {"large", "300,007 parameters", optimizers_large},
    {"again", "the same bits each time", optimizers_again},
    {"frees", "no device memory is kept", optimizers_frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"adamw", "AdamW of 1 Mi parameters", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "1 to 5,003 parameters", optimizers_few},
    {"flat", "32,768 parameters", optimizers_flat},
    {NULL, NULL, NULL},
};

const struct suite suite_15_optimizers = {"15_optimizers", tests, speeds,
                                          watched};

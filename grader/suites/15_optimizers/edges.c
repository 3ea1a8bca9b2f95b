/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: nothing, nonsense, large, again; and the watched cases. */
#include "suite_15.h"

static const struct adam adamw = {0.9f, 0.999f, 1e-8f, 0.01f, 1};
static const struct sgd nesterov = {0.9f, 0.01f, 1};

void optimizers_empty(void)
{
    struct buffers b = buffers_new(0);

    suite_case("n = 0");
    optimizers_try_sgd(&b, 0, &nesterov);
    optimizers_try_adam(&b, 0, &adamw);
    optimizers_try_norm(b.grads, 0, 1);
}

void optimizers_refused(void)
{
    static const struct sgd sgds[] = {{-0.1f, 0, 0}, {1, 0, 0}, {0.9f, -1, 0},
                                      {0, 0, 1}, {NAN, 0, 0}};
    static const struct adam adams[] = {
        {1, 0.9f, 1e-8f, 0, 0}, {0.9f, 1, 1e-8f, 0, 0}, {-1, 0.9f, 1, 0, 0},
        {0.9f, 0.9f, 0, 0, 0},  {0.9f, 0.9f, 1, -1, 0}, {0.9f, NAN, 1, 0, 0}};
    static const struct schedule schedules[] = {
        {.kind = SCHEDULE_STEPS, .factor = 0.5f},
        {.kind = SCHEDULE_STEPS, .every = 3},
        {.kind = SCHEDULE_COSINE, .warmup = 5, .total = 5},
        {.kind = SCHEDULE_CONSTANT, .warmup = -1}};
    struct buffers b = buffers_new(9);
    const struct update u = buffers_update(&b, 9);
    const struct update more = buffers_update(&b, 10);

    for (size_t i = 0; i < COUNT(sgds); i++) {
        suite_case("sgd {%g, %g, %d}", sgds[i].momentum, sgds[i].weight_decay,
                   sgds[i].nesterov);
        expect_refusal(sgd_step(&u, &sgds[i]));
    }
    for (size_t i = 0; i < COUNT(adams); i++) {
        suite_case("adam {%g, %g, %g, %g}", adams[i].beta1, adams[i].beta2,
                   adams[i].epsilon, adams[i].weight_decay);
        expect_refusal(adam_step(&u, &adams[i]));
    }
    for (size_t i = 0; i < COUNT(schedules); i++) {
        int step = 1;

        suite_case("schedule %zu", i);
        expect_refusal(next_step(&schedules[i], &step, &b.rate));
    }
    suite_case("10 of 9 decayed");
    expect_refusal(sgd_step(&more, &nesterov));
    expect_refusal(adam_step(&more, &adamw));
    suite_case("clip_norm to 0");
    expect_refusal(clip_norm(b.grads, 9, 0, suite_floats(2),
                             suite_floats(CLIP_WORK(9))));
}

void optimizers_large(void)
{
    struct buffers b = buffers_new(300007);

    suite_case("n = %zu", b.n);
    optimizers_try_sgd(&b, 200001, &nesterov);
    optimizers_try_adam(&b, 100002, &adamw);
    optimizers_try_norm(b.grads, b.n, 1);
}

/* The same numbers give the same bits, with others in between. */
void optimizers_again(void)
{
    enum { N = 300021, CALLS = 4 };
    struct buffers b = buffers_new(N), other = buffers_new(301);
    float *work = suite_floats(CLIP_WORK(N)), norm[2], first = 0;

    for (int i = 0; i < CALLS && !suite_failed(); i++) {
        suite_case("clip_norm, call %d with the same gradients", i + 1);
        if (i == CALLS / 2)
            suite_reorder(1);
        expect_success(clip_norm(b.grads, N, 1, norm, work));
        first = i ? first : norm[0];
        expect_that(norm[0] == first, "the norm is %.9g; the same gradients "
                    "gave %.9g before: the order of the additions depends on "
                    "chance", norm[0], first);
        optimizers_try_norm(other.grads, other.n, 1);
        optimizers_try_adam(&other, 5, &adamw);
    }
    suite_captured(); /* as the trainer makes the calls */
    optimizers_try_sgd(&other, 100, &nesterov);
    optimizers_try_adam(&other, 100, &adamw);
    optimizers_try_norm(other.grads, other.n, 1);
}

void optimizers_frees(void)
{
    struct buffers b = buffers_new(1003);

    optimizers_try_sgd(&b, 3, &nesterov);
    expect_no_leak();
    optimizers_try_adam(&b, 3, &adamw);
    expect_no_leak();
    optimizers_try_norm(b.grads, b.n, 1);
    expect_no_leak();
}

/* Watched: part quads, warps and blocks. */
void optimizers_few(void)
{
    static const size_t sizes[] = {1, 6, 33, 259, 5003};

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        struct buffers b = buffers_new(sizes[i]);
        int step = 0;

        suite_case("n = %zu", b.n);
        optimizers_try_sgd(&b, b.n / 2, &nesterov);
        optimizers_try_sgd(&b, b.n / 2, &(struct sgd){0});
        optimizers_try_adam(&b, b.n / 2, &adamw);
        optimizers_try_norm(b.grads, b.n, 1);
        expect_success(next_step(&(struct schedule){.rate = 1}, &step,
                                 &b.rate));
    }
}

/* One step of each: SGD moves 5 buffers, AdamW 7, the norm 1. */
void optimizers_flat(void)
{
    enum { N = 1 << 15 };
    struct buffers b = buffers_new(N);
    const double moved = (5 + 7 + 1) * (double)N;

    suite_case("n = %d", N);
    optimizers_try_sgd(&b, N / 2, &nesterov);
    optimizers_try_adam(&b, N / 2, &adamw);
    optimizers_try_norm(b.grads, N, 1);
    expect_cost(COST_LAUNCHES, 3, 3, "x what it takes");
    expect_cost(COST_SECTORS, moved / 8, moved / 8, "x the least there can be");
    expect_cost(COST_REQUESTS, moved / 128, moved / 128,
                "x the least there can be");
}

/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: empty, invalid arguments, large, deterministic; and the
 * watched cases. */
#include "suite_15.h"

static const struct adam adamw = {0.9f, 0.999f, 1e-8f, 0.01f, 1};
static const struct sgd nesterov = {0.9f, 0.01f, 1};

void optimizers_empty(void)
{
    struct buffers b = buffers_create(0);

    suite_case("n = 0");
    optimizers_check_sgd(&b, 0, &nesterov);
    optimizers_check_adam(&b, 0, &adamw);
    optimizers_check_norm(b.grads, 0, 1);
}

void optimizers_rejects_invalid(void)
{
    static const struct sgd sgds[] = {{-0.1f, 0, 0}, {1, 0, 0}, {0.9f, -1, 0},
                                      {0, 0, 1}, {NAN, 0, 0}};
    static const struct adam adams[] = {
        {1, 0.9f, 1e-8f, 0, 0}, {0.9f, 1, 1e-8f, 0, 0}, {-1, 0.9f, 1, 0, 0},
        {0.9f, 0.9f, 0, 0, 0},  {0.9f, 0.9f, 1, -1, 0}, {0.9f, NAN, 1, 0, 0}};
    static const struct schedule schedules[] = {
        {.kind = SCHEDULE_STEP, .factor = 0.5f},
        {.kind = SCHEDULE_STEP, .step_size = 3},
        {.kind = SCHEDULE_STEP, .step_size = 3, .factor = 1.5f},
        {.kind = SCHEDULE_STEP, .step_size = 3, .factor = NAN},
        {.kind = SCHEDULE_COSINE, .warmup_steps = 5, .total_steps = 5},
        {.kind = SCHEDULE_CONSTANT, .warmup_steps = -1}};
    static const float limits[] = {0, -1, NAN};
    struct buffers b = buffers_create(9);
    const struct update u = buffers_to_update(&b, 9);
    const struct update too_many_decayed = buffers_to_update(&b, 10);

    for (size_t i = 0; i < COUNT(sgds); i++) {
        suite_case("sgd {%g, %g, %d}", sgds[i].momentum, sgds[i].weight_decay,
                   sgds[i].nesterov);
        expect_error(sgd_step(&u, &sgds[i]));
    }
    for (size_t i = 0; i < COUNT(adams); i++) {
        suite_case("adam {%g, %g, %g, %g}", adams[i].beta1, adams[i].beta2,
                   adams[i].epsilon, adams[i].weight_decay);
        expect_error(adam_step(&u, &adams[i]));
    }
    for (size_t i = 0; i < COUNT(schedules); i++) {
        int step = 1;

        suite_case("schedule %zu", i);
        expect_error(schedule_next_step(&schedules[i], &step, &b.rate));
        expect_that(step == 1, "the number of the step changed");
    }
    suite_case("10 of 9 decayed");
    expect_error(sgd_step(&too_many_decayed, &nesterov));
    expect_error(adam_step(&too_many_decayed, &adamw));
    for (size_t i = 0; i < COUNT(limits); i++) {
        suite_case("clip_grad_norm to %g", limits[i]);
        expect_error(clip_grad_norm(b.grads, 9, limits[i], suite_floats(2),
                                    suite_floats(CLIP_WORKSPACE(9))));
    }
}

/* More than 2^31 parameters, of which only the first exist. */
static void check_huge(void)
{
    enum { ALLOCATED = 4 };
    struct buffers b = buffers_create(ALLOCATED);
    struct update u = buffers_to_update(&b, 0);

    u.n = ((size_t)1 << 31) + (1 << 28); /* 15/16 of it are more, too */
    suite_case("adam_step, n = %zu", u.n);
    expect_far_access(adam_step(&u, &adamw), true);
    suite_case("sgd_step, n = %zu", u.n);
    u.d_moment2 = NULL;
    expect_far_access(sgd_step(&u, &nesterov), true);
}

void optimizers_large(void)
{
    struct buffers b = buffers_create(300007);

    suite_case("n = %zu", b.n);
    optimizers_check_sgd(&b, 200001, &nesterov);
    optimizers_check_adam(&b, 100002, &adamw);
    optimizers_check_norm(b.grads, b.n, 1);
    if (suite_use_sparse_memory())
        check_huge();
}

/* One square of 2^24, to which a sum below 1 adds nothing, and small ones that
 * sum up to some 28: the total depends on how many blocks add before it. */
static void fill_sensitive(float *grads, size_t n)
{
    for (size_t i = 0; i < n; i++)
        grads[i] *= 0.0056f;
    grads[n / 2] = 4096;
}

/* The same inputs give the same bits, also after calls with other inputs. */
void optimizers_deterministic(void)
{
    enum { N = 300021, IN_ORDER = 2, CALLS = 8 };
    struct buffers b = buffers_create(N), other = buffers_create(301);
    float *work = suite_floats(CLIP_WORKSPACE(N)), norm[2], first = 0;

    fill_sensitive(b.grads, N);
    for (int i = 0; i < CALLS && !suite_failed(); i++) {
        suite_case("clip_grad_norm, call %d with the same gradients", i + 1);
        if (i >= IN_ORDER) /* one other order may give the same bits */
            suite_use_schedule((unsigned)(i - IN_ORDER + 1));
        expect_success(clip_grad_norm(b.grads, N, 1, norm, work));
        first = i ? first : norm[0];
        expect_that(norm[0] == first, "the norm is %.9g; the same gradients "
                    "gave %.9g before: the order of the additions is not "
                    "deterministic", norm[0], first);
        suite_case("clip_grad_norm, then adam_step, n = %zu", other.n);
        optimizers_check_norm(other.grads, other.n, 1);
        optimizers_check_adam(&other, 5, &adamw);
    }
    suite_capture_graph(); /* as the trainer calls the lab */
    suite_case("sgd_step, n = %zu", other.n);
    optimizers_check_sgd(&other, 100, &nesterov);
    suite_case("adam_step, n = %zu", other.n);
    optimizers_check_adam(&other, 100, &adamw);
    suite_case("clip_grad_norm, n = %zu", other.n);
    optimizers_check_norm(other.grads, other.n, 1);
}

static int64_t step_sgd(void)
{
    struct buffers b = buffers_create(1003);
    const struct update u = buffers_to_update(&b, 3);

    return sgd_step(&u, &nesterov);
}

static int64_t step_adam(void)
{
    struct buffers b = buffers_create(1003);
    const struct update u = buffers_to_update(&b, 3);

    return adam_step(&u, &adamw);
}

static int64_t compute_norm(void)
{
    enum { N = 9000 };

    return clip_grad_norm(suite_floats(N), N, 1, suite_floats(2),
                          suite_floats(CLIP_WORKSPACE(N)));
}

static int64_t next_step(void)
{
    int step = 1;
    float rate = 0;

    return schedule_next_step(&(struct schedule){.rate = 1}, &step, &rate);
}

void optimizers_no_leak(void)
{
    struct buffers b = buffers_create(1003);

    suite_case("sgd_step, n = %zu", b.n);
    optimizers_check_sgd(&b, 3, &nesterov);
    expect_no_leak();
    suite_case("adam_step, n = %zu", b.n);
    optimizers_check_adam(&b, 3, &adamw);
    expect_no_leak();
    suite_case("clip_grad_norm, n = %zu", b.n);
    optimizers_check_norm(b.grads, b.n, 1);
    expect_no_leak();
    suite_check_failures(step_sgd);
    suite_check_failures(step_adam);
    suite_check_failures(compute_norm);
    suite_check_failures(next_step);
}

/* Watched: partial float4s, warps and blocks. */
void optimizers_watched_small(void)
{
    static const size_t sizes[] = {1, 6, 33, 259, 5003};

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        struct buffers b = buffers_create(sizes[i]);
        int step = 0;

        suite_case("n = %zu", b.n);
        optimizers_check_sgd(&b, b.n / 2, &nesterov);
        optimizers_check_sgd(&b, b.n / 2, &(struct sgd){0});
        optimizers_check_adam(&b, b.n / 2, &adamw);
        optimizers_check_norm(b.grads, b.n, 1);
        expect_success(schedule_next_step(&(struct schedule){.rate = 1}, &step,
                                          &b.rate));
    }
}

/* One step of each: SGD transfers 5 buffers, AdamW 7, the norm 1. */
void optimizers_watched_cost(void)
{
    enum { N = 1 << 15 };
    struct buffers b = buffers_create(N);
    const double accessed = (5 + 7 + 1) * (double)N;

    suite_case("n = %d", N);
    optimizers_check_sgd(&b, N / 2, &nesterov);
    optimizers_check_adam(&b, N / 2, &adamw);
    optimizers_check_norm(b.grads, N, 1);
    expect_metric(METRIC_LAUNCHES, 3, 3, "x the minimum");
    expect_metric(METRIC_SECTORS, accessed / 8, accessed / 8,
                  "x the minimum");
    expect_metric(METRIC_SERIAL, 0, 25, "x the 25 that it may have");
    expect_metric(METRIC_REQUESTS, accessed / 128, accessed / 128,
                  "x the minimum");
}

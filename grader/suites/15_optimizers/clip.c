/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: the gradients' norm, scale and clipping; learning rates. */
#include "suite_15.h"

/* Scales; then none; then NaN, by which nothing may change. */
void optimizers_scale(void)
{
    static const float scales[] = {1, 0.5f, 0, 1e-3f, 8};
    const struct sgd momentum = {.momentum = 0.9f};
    const struct sgd decay = {.momentum = 0.9f, .weight_decay = 0.1f};
    const struct adam how = {0.9f, 0.999f, 1e-8f, 0.1f, 1};

    for (size_t i = 0; i < COUNT(scales) && !suite_failed(); i++) {
        struct buffers a = buffers_new(67), b = buffers_new(67);

        a.scale = b.scale = scales[i];
        suite_case("scale %g", scales[i]);
        optimizers_try_sgd(&a, 0, &momentum);
        optimizers_try_sgd(&a, 0, &(struct sgd){0});
        optimizers_try_sgd(&a, 50, &decay); /* the decay is not scaled */
        optimizers_try_adam(&b, 30, &how);
    }
    for (int i = 0; i < 2 && !suite_failed(); i++) {
        struct buffers b = buffers_new(66);
        struct update u = buffers_update(&b, 0);
        float *before = suite_floats(3 * 66);

        random_floats(b.first, 66, -1, 1);
        random_floats(b.second, 66, 0, 1);
        memcpy(before, b.params, 66 * sizeof *before);
        memcpy(before + 66, b.first, 66 * sizeof *before);
        memcpy(before + 132, b.second, 66 * sizeof *before);
        b.scale = NAN;
        suite_case("%s, scale NaN", i ? "adam" : "sgd");
        expect_success(i ? adam_step(&u, &how) : sgd_step(&u, &momentum));
        expect_that(!memcmp(before, b.params, 66 * sizeof *before)
                        && !memcmp(before + 66, b.first, 66 * sizeof *before)
                        && !memcmp(before + 132, b.second,
                                   66 * sizeof *before),
                    "parameters or moments changed; the step should be left "
                    "out");
        u.d_scale = NULL;
        b.scale = 1;
        suite_case("%s, no scale", i ? "adam" : "sgd");
        expect_success(i ? adam_step(&u, &how) : sgd_step(&u, &momentum));
        expect_that(b.params[5] != before[5], "parameters did not change");
    }
}

float optimizers_try_norm(const float *grads, size_t n, float most)
{
    float *norm = suite_floats(2), *work = suite_floats(CLIP_WORK(n));
    double squares = 0, want[2], slack[2];
    const double share = (64 + log2((double)n + 1)) * 0x1p-23;

    for (size_t i = 0; i < n; i++)
        squares += (double)grads[i] * grads[i];
    want[0] = sqrt(squares);
    want[1] = want[0] > most ? most / want[0] : 1;
    slack[0] = want[0] * share;
    slack[1] = want[0] >= most * (1 - share) ? want[1] * share : 0;
    expect_success(clip_norm(grads, n, most, norm, work));
    optimizers_expect("norm, scale", norm, want, slack, 2);
    return norm[1];
}

/* Sizes round those of blocks and passes. */
void optimizers_norm(void)
{
    static const size_t sizes[] = {1,    2,    3,    4,     5,     31,   33,
                                   255,  256,  257,  1023,  1024,  1025, 4097,
                                   7919, 65535, 65537, 200003};

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        float *grads = suite_floats(sizes[i]);

        random_whole(grads, sizes[i], 1, 3); /* each one counts */
        suite_case("clip_norm, n = %zu", sizes[i]);
        optimizers_try_norm(grads, sizes[i], INFINITY);
    }
}

/* Below, at and above the limit; all 0; large and small gradients. */
void optimizers_clip(void)
{
    enum { N = 1001 };
    static const float limits[] = {1e-6f, 1e-3f, 0.5f, 1, 100, 1e6f,
                                   INFINITY};
    static const float sizes[] = {0, 1e-6f, 1, 1e6f};
    float *grads = suite_floats(N);

    for (size_t i = 0; i < COUNT(limits) * COUNT(sizes) && !suite_failed();
         i++) {
        const float size = sizes[i / COUNT(limits)];

        random_floats(grads, N, -size, size);
        suite_case("clip_norm to %g, gradients up to %g",
                   limits[i % COUNT(limits)], size);
        optimizers_try_norm(grads, N, limits[i % COUNT(limits)]);
    }
    memset(grads, 0, N * sizeof *grads);
    grads[700] = 3;
    grads[1000] = -4;
    suite_case("clip_norm to 5 of 3 and -4");
    optimizers_try_norm(grads, N, 5);
}

/* What is no number anywhere in the gradients shows in the norm. */
void optimizers_not_finite(void)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f};
    enum { N = 5003 };
    static const size_t places[] = {0, 1, 2500, N - 2, N - 1};
    float *grads = suite_floats(N), *norm = suite_floats(2);
    float *work = suite_floats(CLIP_WORK(N));

    random_floats(grads, N, -1, 1);
    for (size_t i = 0; i < COUNT(bad) * COUNT(places) && !suite_failed(); i++) {
        const size_t at = places[i / COUNT(bad)];
        const float kept = grads[at];

        grads[at] = bad[i % COUNT(bad)];
        suite_case("clip_norm, gradient %zu of %d is %g", at, N, grads[at]);
        expect_success(clip_norm(grads, N, 1, norm, work));
        expect_that(!isfinite(norm[0]), "the norm is %g", norm[0]);
        expect_that(isnan(norm[1]), "the scale is %g, should be NaN",
                    norm[1]);
        grads[at] = kept;
    }
    suite_case("clip_norm, the gradients afterwards");
    optimizers_try_norm(grads, N, 1);
}

static double rate_at(const struct schedule *how, int step)
{
    const double rate = how->rate, least = how->least;

    if (step <= how->warmup)
        return rate * step / how->warmup;
    if (how->kind == SCHEDULE_STEPS)
        return rate * pow(how->factor, (step - 1) / how->every);
    if (how->kind == SCHEDULE_CONSTANT)
        return rate;
    if (step >= how->total)
        return least;
    return least
           + (rate - least) / 2
                 * (1 + cos(acos(-1) * (step - how->warmup)
                            / (how->total - how->warmup)));
}

/* One step of a schedule, after `made`. */
static void try_schedule(const struct schedule *how, int made)
{
    static const char *const names[] = {"constant", "steps", "cosine"};
    const double want = rate_at(how, made + 1);
    const double slack = 64 * 0x1p-24 * how->rate;
    int step = made;
    float rate = 0;

    suite_case("%s, warm-up %d, %d steps made", names[how->kind], how->warmup,
               made);
    expect_success(next_step(how, &step, &rate));
    expect_that(step == made + 1, "the number is %d, should be %d", step,
                made + 1);
    optimizers_expect("rate", &rate, &want, &slack, 1);
}

void optimizers_schedule(void)
{
    const struct schedule all[] = {
        {.kind = SCHEDULE_CONSTANT, .rate = 0.1f},
        {.kind = SCHEDULE_CONSTANT, .rate = 0.1f, .warmup = 10},
        {.kind = SCHEDULE_STEPS, .rate = 0.5f, .every = 7, .factor = 0.3f},
        {.kind = SCHEDULE_STEPS, .rate = 0.5f, .every = 3, .factor = 0.5f,
         .warmup = 8},
        {.kind = SCHEDULE_COSINE, .rate = 0.1f, .total = 30, .least = 1e-4f},
        {.kind = SCHEDULE_COSINE, .rate = 3, .total = 20, .warmup = 5}};
    static const int late[] = {99, 1000, 123456};

    for (size_t i = 0; i < COUNT(all) && !suite_failed(); i++) {
        for (int made = 0; made < 35 && !suite_failed(); made++)
            try_schedule(&all[i], made);
        for (size_t k = 0; k < COUNT(late); k++)
            try_schedule(&all[i], late[k]);
    }
}

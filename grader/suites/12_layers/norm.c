/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: batch-norm. */
#include "suite_12.h"

static const double eps = 0x1p-24;

/* All that a call needs, and what it should give with which tolerance. */
struct norm_case {
    struct layer_shape shape;
    size_t n, c;             /* elements, channels */
    double m;                /* elements of a channel */
    struct batchnorm norm;   /* arrays of c floats each */
    float *x, *y, *y_grad, *x_grad;
    double *mean, *mean_slack, *var, *var_slack; /* of each channel */
};

/* Random parameters, plausible running averages. */
static struct norm_case make_case(const struct layer_shape *shape, int relu)
{
    struct norm_case made = {.shape = *shape, .n = layers_count(shape),
                             .c = (size_t)shape->c};
    float *params = layers_floats(8 * made.c, 0.5, 1.5);

    made.m = (double)(made.n / (made.c ? made.c : 1));
    made.norm = (struct batchnorm){
        .epsilon = 1e-5f, .momentum = 0.1f, .relu = relu,
        .d_gamma = params, .d_beta = params + made.c,
        .d_running_mean = params + 2 * made.c,
        .d_running_var = params + 3 * made.c,
        .d_mean = params + 4 * made.c, .d_inv_std = params + 5 * made.c,
        .d_gamma_grad = params + 6 * made.c,
        .d_beta_grad = params + 7 * made.c};
    for (size_t i = 0; i < made.c; i++)
        params[made.c + i] -= 1; /* beta of both signs */
    made.x = layers_floats(made.n, -2, 3);
    made.y = suite_floats(made.n);
    made.y_grad = layers_floats(made.n, -1, 1.5);
    made.x_grad = suite_floats(made.n);
    made.mean = suite_doubles(made.c);
    made.mean_slack = suite_doubles(made.c);
    made.var = suite_doubles(made.c);
    made.var_slack = suite_doubles(made.c);
    return made;
}

/* Mean and variance in double, and how far float may be off: the mean as a
 * sum, the variance by its own sum and by the mean's error squared. */
static void find_moments(struct norm_case *t)
{
    const double steps = 2 * layers_steps((size_t)t->m) * eps;

    for (size_t i = 0; i < t->n; i++) {
        t->mean[layers_channel(&t->shape, i)] += t->x[i] / t->m;
        t->mean_slack[layers_channel(&t->shape, i)] +=
            steps * fabs(t->x[i]) / t->m;
    }
    for (size_t i = 0; i < t->n; i++) {
        const size_t c = layers_channel(&t->shape, i);

        t->var[c] += pow(t->x[i] - t->mean[c], 2) / t->m;
    }
    for (size_t c = 0; c < t->c; c++)
        t->var_slack[c] = steps * t->var[c] + pow(t->mean_slack[c], 2);
}

/* 1 / sqrt(variance + epsilon), and its relative error. */
static double inv_std(const struct norm_case *t, size_t c, double *relative)
{
    const double sum = t->var[c] + t->norm.epsilon;

    *relative = 0.5 * t->var_slack[c] / sum + 6 * eps;
    return 1 / sqrt(sum);
}

/* y, from the moments that were found. */
static void expect_y(struct norm_case *t)
{
    double *want = suite_doubles(t->n), *slack = suite_doubles(t->n);

    for (size_t i = 0; i < t->n; i++) {
        const size_t c = layers_channel(&t->shape, i);
        const double gamma = t->norm.d_gamma[c], beta = t->norm.d_beta[c];
        double relative, inv = inv_std(t, c, &relative);
        const double centred = (t->x[i] - t->mean[c]) * inv;

        want[i] = gamma * centred + beta;
        slack[i] = gamma * inv * t->mean_slack[c]
                   + fabs(gamma * centred) * (relative + 8 * eps)
                   + 4 * eps * (fabs(beta) + fabs(want[i]));
        if (t->norm.relu && want[i] < 0)
            want[i] = 0;
    }
    layers_expect("y", t->y, want, slack, &t->shape);
}

/* The four arrays that the forward keeps. */
static void expect_kept(struct norm_case *t, const double *running)
{
    double *want = suite_doubles(4 * t->c), *slack = suite_doubles(4 * t->c);
    const double momentum = t->norm.momentum, all = t->m;

    for (size_t c = 0; c < t->c; c++) {
        double *w = want + c, *s = slack + c, relative;
        const double more = all > 1 ? all / (all - 1) : 0;

        w[0] = t->mean[c];
        s[0] = t->mean_slack[c] + 2 * eps * fabs(w[0]);
        w[t->c] = inv_std(t, c, &relative);
        s[t->c] = w[t->c] * relative;
        w[2 * t->c] = (1 - momentum) * running[c] + momentum * t->mean[c];
        s[2 * t->c] = momentum * s[0]
                      + 8 * eps * (fabs(running[c]) + fabs(t->mean[c]));
        w[3 * t->c] = (1 - momentum) * running[t->c + c]
                      + momentum * more * t->var[c];
        s[3 * t->c] = momentum * more * t->var_slack[c]
                      + 8 * eps * (running[t->c + c] + more * t->var[c]);
    }
    layers_expect_n("mean", t->norm.d_mean, want, slack, t->c);
    layers_expect_n("inv_std", t->norm.d_inv_std, want + t->c, slack + t->c,
                    t->c);
    layers_expect_n("running_mean", t->norm.d_running_mean, want + 2 * t->c,
                    slack + 2 * t->c, t->c);
    layers_expect_n("running_var", t->norm.d_running_var, want + 3 * t->c,
                    slack + 3 * t->c, t->c);
}

static void expect_forward(struct norm_case *t)
{
    double *running = suite_doubles(2 * t->c);

    for (size_t c = 0; c < t->c; c++) {
        running[c] = t->norm.d_running_mean[c];
        running[t->c + c] = t->norm.d_running_var[c];
    }
    find_moments(t);
    expect_success(batchnorm_forward(&t->shape, &t->norm, t->x, t->y));
    expect_y(t);
    expect_kept(t, running);
}

/* y before the ReLU, from the floats that the backward is given. */
static double value_of(const struct norm_case *t, size_t i)
{
    const size_t c = layers_channel(&t->shape, i);

    return t->norm.d_gamma[c] * (t->x[i] - (double)t->norm.d_mean[c])
               * t->norm.d_inv_std[c] + t->norm.d_beta[c];
}

/* The sums of the backward: of the gradient, of its product with the
 * normalised x, and of the magnitudes of both: four for each channel. */
static double *channel_sums(struct norm_case *t)
{
    double *sums = suite_doubles(4 * t->c);

    for (size_t i = 0; i < t->n; i++) {
        const size_t c = layers_channel(&t->shape, i);
        const double centred = (t->x[i] - (double)t->norm.d_mean[c])
                               * t->norm.d_inv_std[c];

        if (t->norm.relu && fabs(value_of(t, i)) < 1e-3)
            t->y_grad[i] = 0; /* which side of 0 is for float to say */
        if (t->norm.relu && value_of(t, i) <= 0)
            continue;
        sums[c] += t->y_grad[i];
        sums[t->c + c] += t->y_grad[i] * centred;
        sums[2 * t->c + c] += fabs(t->y_grad[i]);
        sums[3 * t->c + c] += fabs(t->y_grad[i] * centred);
    }
    return sums;
}

static void expect_x_grad(struct norm_case *t, const double *sums)
{
    const double steps = 2 * (layers_steps((size_t)t->m) + 8) * eps;
    double *want = suite_doubles(t->n), *slack = suite_doubles(t->n);

    for (size_t i = 0; i < t->n; i++) {
        const size_t c = layers_channel(&t->shape, i);
        const double inv = t->norm.d_inv_std[c];
        const double centred = (t->x[i] - (double)t->norm.d_mean[c]) * inv;
        const double factor = t->norm.d_gamma[c] * inv;
        const bool through = !t->norm.relu || value_of(t, i) > 0;
        const double grad = through ? t->y_grad[i] : 0;

        want[i] = factor * (grad - sums[c] / t->m
                            - centred * sums[t->c + c] / t->m);
        slack[i] = fabs(factor)
                   * (16 * eps * fabs(grad)
                      + steps / t->m
                            * (sums[2 * t->c + c]
                               + fabs(centred) * sums[3 * t->c + c]));
    }
    layers_expect("x_grad", t->x_grad, want, slack, &t->shape);
}

static void expect_backward(struct norm_case *t)
{
    const double steps = 2 * (layers_steps((size_t)t->m) + 4) * eps;
    double *sums, *slack = suite_doubles(2 * t->c);

    for (size_t c = 0; c < t->c; c++) {
        double relative;

        t->norm.d_mean[c] = (float)t->mean[c];
        t->norm.d_inv_std[c] = (float)inv_std(t, c, &relative);
    }
    sums = channel_sums(t);
    for (size_t c = 0; c < 2 * t->c; c++)
        slack[c] = steps * sums[2 * t->c + c];
    expect_success(batchnorm_backward(&t->shape, &t->norm, t->x, t->y_grad,
                                      t->x_grad));
    layers_expect_n("beta_grad", t->norm.d_beta_grad, sums, slack, t->c);
    layers_expect_n("gamma_grad", t->norm.d_gamma_grad, sums + t->c,
                    slack + t->c, t->c);
    expect_x_grad(t, sums);
}

void layers_try_norm(const struct layer_shape *shape, int relu)
{
    struct norm_case t = make_case(shape, relu);

    layers_say(relu ? "batchnorm_forward with ReLU" : "batchnorm_forward",
               shape);
    expect_forward(&t);
    layers_say(relu ? "batchnorm_backward with ReLU" : "batchnorm_backward",
               shape);
    expect_backward(&t);
}

static const struct layer_shape shapes[] = {
    {2, 1, 1, 1},  {3, 2, 1, 1},  {2, 3, 2, 2},   {33, 5, 1, 1},
    {4, 3, 3, 5},  {2, 7, 4, 6},  {1, 2, 16, 16}, {257, 3, 1, 1},
    {5, 2, 8, 13}, {3, 33, 2, 4}, {2, 2, 31, 33}, {9, 1, 1, 4}};

void layers_test_norm(void)
{
    for (size_t i = 0; i < 2 * COUNT(shapes) && !suite_failed(); i++) {
        struct norm_case t = make_case(&shapes[i / 2], i % 2);

        layers_say(i % 2 ? "batchnorm_forward with ReLU" : "batchnorm_forward",
                   &t.shape);
        expect_forward(&t);
    }
}

/* Numbers far from 0; all equal; a single one; nearly all the same. */
void layers_test_norm_hard(void)
{
    static const struct layer_shape odd = {16, 2, 7, 9}, even = {8, 3, 8, 8},
                                    single = {1, 5, 1, 1};
    static const char *const what[] = {"3000 +- 1", "all equal", "one outlier"};

    for (size_t i = 0; i < 2 * COUNT(what) && !suite_failed(); i++) {
        struct norm_case t = make_case(i % 2 ? &odd : &even, 0);

        for (size_t k = 0; k < t.n; k++)
            t.x[k] = i < 2   ? 3000 + t.x[k]
                     : i < 4 ? 0.7f
                             : 1e-3f * t.x[k] + (k % 501 == 7 ? 50 : 0);
        suite_case("batchnorm_forward, %s", what[i / 2]);
        expect_forward(&t);
    }
    struct norm_case t = make_case(&single, 0);

    suite_case("batchnorm_forward, one number in each channel");
    expect_forward(&t);
    suite_case("batchnorm_backward, one number in each channel");
    expect_backward(&t);
}

void layers_try_norm_later(const struct layer_shape *shape, int relu)
{
    struct norm_case t = make_case(shape, relu);

    for (size_t c = 0; c < t.c; c++) {
        t.mean[c] = t.norm.d_running_mean[c];
        t.var[c] = t.norm.d_running_var[c];
    }
    layers_say("batchnorm_inference", shape);
    expect_success(batchnorm_inference(shape, &t.norm, t.x, t.y));
    expect_y(&t);
}

void layers_test_norm_later(void)
{
    for (size_t i = 0; i < 2 * COUNT(shapes) && !suite_failed(); i++)
        layers_try_norm_later(&shapes[i / 2], i % 2);
}

void layers_test_norm_grad(void)
{
    for (size_t i = 0; i < 2 * COUNT(shapes) && !suite_failed(); i++) {
        struct norm_case t = make_case(&shapes[i / 2], i % 2);

        layers_say(i % 2 ? "batchnorm_backward with ReLU"
                         : "batchnorm_backward", &t.shape);
        find_moments(&t);
        expect_backward(&t);
    }
}

/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: batch normalization. */
#include "mistakes.h"

static const double float_epsilon = 0x1p-24;

/* The arguments of a call, the expected statistics and their tolerances. */
struct batchnorm_case {
    struct layer_shape shape;
    size_t n, c;             /* elements of the tensor, channels */
    double m;                /* elements of each channel */
    struct batchnorm norm;   /* arrays of c floats each */
    float *x, *y, *y_grad, *x_grad;
    double *mean, *mean_tolerance, *var, *var_tolerance; /* of each channel */
};

/* Values that no other value hides: an epsilon beside the variance, too. */
static float random_choice(const float values[3])
{
    return values[random_int(0, 2)];
}

/* Creates a case with random parameters and running averages. */
static struct batchnorm_case create_case(const struct layer_shape *shape,
                                         int relu)
{
    static const float epsilons[] = {1e-5f, 1e-3f, 0.2f};
    static const float momenta[] = {0.1f, 0.01f, 0.75f};
    struct batchnorm_case made = {.shape = *shape,
                                  .n = layers_element_count(shape),
                                  .c = (size_t)shape->c};
    float *params = layers_random_floats(8 * made.c, 0.5, 1.5);

    made.m = (double)(made.n / (made.c ? made.c : 1));
    made.norm = (struct batchnorm){
        .epsilon = random_choice(epsilons),
        .momentum = random_choice(momenta), .relu = relu,
        .d_gamma = params, .d_beta = params + made.c,
        .d_running_mean = params + 2 * made.c,
        .d_running_var = params + 3 * made.c,
        .d_mean = params + 4 * made.c, .d_inv_std = params + 5 * made.c,
        .d_gamma_grad = params + 6 * made.c,
        .d_beta_grad = params + 7 * made.c};
    for (size_t i = 0; i < made.c; i++)
        params[made.c + i] -= 1; /* beta of both signs */
    made.x = layers_random_floats(made.n, -2, 3);
    made.y = suite_floats(made.n);
    made.y_grad = layers_random_floats(made.n, -1, 1.5);
    made.x_grad = suite_floats(made.n);
    made.mean = suite_doubles(made.c);
    made.mean_tolerance = suite_doubles(made.c);
    made.var = suite_doubles(made.c);
    made.var_tolerance = suite_doubles(made.c);
    return made;
}

/* Mean and variance in double, with tolerances: the mean's from its sum, the
 * variance's from its sum and the square of the mean's error. */
static void compute_statistics(struct batchnorm_case *t)
{
    const double steps =
        2 * layers_rounding_steps((size_t)t->m) * float_epsilon;

    for (size_t i = 0; i < t->n; i++) {
        t->mean[layers_channel_index(&t->shape, i)] += t->x[i] / t->m;
        t->mean_tolerance[layers_channel_index(&t->shape, i)] +=
            steps * fabs(t->x[i]) / t->m;
    }
    for (size_t i = 0; i < t->n; i++) {
        const size_t c = layers_channel_index(&t->shape, i);

        t->var[c] += pow(t->x[i] - t->mean[c], 2) / t->m;
    }
    for (size_t c = 0; c < t->c; c++)
        t->var_tolerance[c] = steps * t->var[c] + pow(t->mean_tolerance[c], 2);
}

/* 1 / sqrt(variance + epsilon), and its relative error. */
static double inv_std(const struct batchnorm_case *t, size_t c,
                      double *relative)
{
    const double sum = t->var[c] + t->norm.epsilon;

    *relative = 0.5 * t->var_tolerance[c] / sum + 6 * float_epsilon;
    return 1 / sqrt(sum);
}

/* Compares y with the value computed from the statistics. */
static void compare_y(struct batchnorm_case *t, const struct norm_inputs *in)
{
    double *want = suite_doubles(t->n), *tolerance = suite_doubles(t->n);

    for (size_t i = 0; i < t->n; i++) {
        const size_t c = layers_channel_index(&t->shape, i);
        const double gamma = t->norm.d_gamma[c], beta = t->norm.d_beta[c];
        double relative, inv = inv_std(t, c, &relative);
        const double normalized = (t->x[i] - t->mean[c]) * inv;

        want[i] = gamma * normalized + beta;
        tolerance[i] = gamma * inv * t->mean_tolerance[c]
                   + fabs(gamma * normalized) * (relative + 8 * float_epsilon)
                   + 4 * float_epsilon * (fabs(beta) + fabs(want[i]));
        if (t->norm.relu && want[i] < 0)
            want[i] = 0;
    }
    suite_mistakes(layers_norm_mistakes, in);
    layers_compare("y", t->y, want, tolerance, &t->shape);
    suite_mistakes(NULL, NULL);
}

/* Compares the four statistics that the forward pass writes. */
static void compare_statistics(struct batchnorm_case *t,
                               const struct norm_inputs *in)
{
    const double *running = in->running;
    double *want = suite_doubles(4 * t->c),
           *tolerance = suite_doubles(4 * t->c);
    const double momentum = t->norm.momentum, count = t->m;

    for (size_t c = 0; c < t->c; c++) {
        double *w = want + c, *s = tolerance + c, relative;
        const double unbiased_factor = count > 1 ? count / (count - 1) : 0;

        w[0] = t->mean[c];
        s[0] = t->mean_tolerance[c] + 2 * float_epsilon * fabs(w[0]);
        w[t->c] = inv_std(t, c, &relative);
        s[t->c] = w[t->c] * relative;
        w[2 * t->c] = (1 - momentum) * running[c] + momentum * t->mean[c];
        s[2 * t->c] =
            momentum * s[0]
            + 8 * float_epsilon * (fabs(running[c]) + fabs(t->mean[c]));
        w[3 * t->c] = (1 - momentum) * running[t->c + c]
                      + momentum * unbiased_factor * t->var[c];
        s[3 * t->c] =
            momentum * unbiased_factor * t->var_tolerance[c]
            + 8 * float_epsilon
                  * (running[t->c + c] + unbiased_factor * t->var[c]);
    }
    layers_compare_n("mean", t->norm.d_mean, want, tolerance, t->c);
    suite_mistakes(layers_inv_std_mistakes, in);
    layers_compare_n("inv_std", t->norm.d_inv_std, want + t->c,
                     tolerance + t->c, t->c);
    suite_mistakes(layers_running_mean_mistakes, in);
    layers_compare_n("running_mean", t->norm.d_running_mean, want + 2 * t->c,
                     tolerance + 2 * t->c, t->c);
    suite_mistakes(layers_running_var_mistakes, in);
    layers_compare_n("running_var", t->norm.d_running_var, want + 3 * t->c,
                     tolerance + 3 * t->c, t->c);
    suite_mistakes(NULL, NULL);
}

/* For the mistakes: `running` is NULL, or what it was before the call. */
static struct norm_inputs inputs_of(const struct batchnorm_case *t,
                                    const double *running)
{
    return (struct norm_inputs){&t->shape, &t->norm, t->x,
                                t->mean,   t->var,   running,
                                t->m};
}

static void check_forward(struct batchnorm_case *t)
{
    double *running = suite_doubles(2 * t->c);
    const struct norm_inputs in = inputs_of(t, running);

    for (size_t c = 0; c < t->c; c++) {
        running[c] = t->norm.d_running_mean[c];
        running[t->c + c] = t->norm.d_running_var[c];
    }
    compute_statistics(t);
    expect_success(batchnorm_forward(&t->shape, &t->norm, t->x, t->y));
    compare_y(t, &in);
    compare_statistics(t, &in);
}

/* y before the ReLU, from the float inputs of the backward pass. */
static double normalized_value(const struct batchnorm_case *t, size_t i)
{
    const size_t c = layers_channel_index(&t->shape, i);

    return t->norm.d_gamma[c] * (t->x[i] - (double)t->norm.d_mean[c])
               * t->norm.d_inv_std[c] + t->norm.d_beta[c];
}

/* Four sums for each channel: of the gradient, of its product with the
 * normalized x, and of the absolute values of both. */
static double *channel_sums(struct batchnorm_case *t)
{
    double *sums = suite_doubles(4 * t->c);

    for (size_t i = 0; i < t->n; i++) {
        const size_t c = layers_channel_index(&t->shape, i);
        const double normalized = (t->x[i] - (double)t->norm.d_mean[c])
                               * t->norm.d_inv_std[c];

        const double y = normalized_value(t, i);

        if (t->norm.relu && y != 0 && fabs(y) < 1e-3)
            t->y_grad[i] = 0; /* near 0 rounding may decide the sign */
        if (t->norm.relu && y <= 0)
            continue;
        sums[c] += t->y_grad[i];
        sums[t->c + c] += t->y_grad[i] * normalized;
        sums[2 * t->c + c] += fabs(t->y_grad[i]);
        sums[3 * t->c + c] += fabs(t->y_grad[i] * normalized);
    }
    return sums;
}

static void compare_x_grad(struct batchnorm_case *t, const double *sums)
{
    const double steps =
        2 * (layers_rounding_steps((size_t)t->m) + 8) * float_epsilon;
    double *want = suite_doubles(t->n), *tolerance = suite_doubles(t->n);

    for (size_t i = 0; i < t->n; i++) {
        const size_t c = layers_channel_index(&t->shape, i);
        const double inv = t->norm.d_inv_std[c];
        const double normalized = (t->x[i] - (double)t->norm.d_mean[c]) * inv;
        const double factor = t->norm.d_gamma[c] * inv;
        const bool passes_relu = !t->norm.relu || normalized_value(t, i) > 0;
        const double grad = passes_relu ? t->y_grad[i] : 0;

        want[i] = factor * (grad - sums[c] / t->m
                            - normalized * sums[t->c + c] / t->m);
        tolerance[i] = fabs(factor)
                   * (16 * float_epsilon * fabs(grad)
                      + steps / t->m
                      * (sums[2 * t->c + c]
                         + fabs(normalized) * sums[3 * t->c + c]));
    }
    layers_compare("x_grad", t->x_grad, want, tolerance, &t->shape);
}

static void check_backward(struct batchnorm_case *t)
{
    const struct norm_grad_inputs in = {&t->shape, &t->norm, t->x, t->y_grad};
    const double steps =
        2 * (layers_rounding_steps((size_t)t->m) + 4) * float_epsilon;
    double *sums, *tolerance = suite_doubles(2 * t->c);

    for (size_t c = 0; c < t->c; c++) {
        double relative;

        t->norm.d_mean[c] = (float)t->mean[c];
        t->norm.d_inv_std[c] = (float)inv_std(t, c, &relative);
    }
    sums = channel_sums(t);
    for (size_t c = 0; c < 2 * t->c; c++)
        tolerance[c] = steps * sums[2 * t->c + c];
    expect_success(batchnorm_backward(&t->shape, &t->norm, t->x, t->y_grad,
                                      t->x_grad));
    suite_mistakes(layers_beta_grad_mistakes, &in);
    layers_compare_n("beta_grad", t->norm.d_beta_grad, sums, tolerance, t->c);
    suite_mistakes(layers_gamma_grad_mistakes, &in);
    layers_compare_n("gamma_grad", t->norm.d_gamma_grad, sums + t->c,
                     tolerance + t->c, t->c);
    suite_mistakes(layers_norm_grad_mistakes, &in);
    compare_x_grad(t, sums);
    suite_mistakes(NULL, NULL);
}

void layers_check_norm(const struct layer_shape *shape, int relu)
{
    struct batchnorm_case t = create_case(shape, relu);

    layers_name_case(relu ? "batchnorm_forward with ReLU" : "batchnorm_forward",
                     shape);
    check_forward(&t);
    layers_name_case(
        relu ? "batchnorm_backward with ReLU" : "batchnorm_backward", shape);
    check_backward(&t);
}

static const struct layer_shape shapes[] = {
    {2, 1, 1, 1},  {3, 2, 1, 1},  {2, 3, 2, 2},   {33, 5, 1, 1},
    {4, 3, 3, 5},  {2, 7, 4, 6},  {1, 2, 16, 16}, {257, 3, 1, 1},
    {5, 2, 8, 13}, {3, 33, 2, 4}, {2, 2, 31, 33}, {9, 1, 1, 4}};

/* The single channel comes last: what is wrong is better told from several. */
void layers_test_norm(void)
{
    for (size_t i = 0; i < 2 * COUNT(shapes) && !suite_failed(); i++) {
        struct batchnorm_case t =
            create_case(&shapes[(i / 2 + 1) % COUNT(shapes)], i % 2);

        layers_name_case(i % 2 ? "batchnorm_forward with ReLU"
                         : "batchnorm_forward",
                         &t.shape);
        check_forward(&t);
    }
}

/* A mean far from 0, all elements equal, one outlier, a single element. */
void layers_test_norm_hard(void)
{
    static const struct layer_shape odd = {16, 2, 7, 9}, even = {8, 3, 8, 8},
                                    single = {1, 5, 1, 1};
    static const char *const what[] = {"3000 +- 1", "all equal", "one outlier"};

    for (size_t i = 0; i < 2 * COUNT(what) && !suite_failed(); i++) {
        struct batchnorm_case t = create_case(i % 2 ? &odd : &even, 0);

        for (size_t k = 0; k < t.n; k++)
            t.x[k] = i < 2   ? 3000 + t.x[k]
                     : i < 4 ? 0.7f
                             : 1e-3f * t.x[k] + (k % 501 == 7 ? 50 : 0);
        suite_case("batchnorm_forward, %s", what[i / 2]);
        check_forward(&t);
    }
    struct batchnorm_case t = create_case(&single, 0);

    suite_case("batchnorm_forward, one number in each channel");
    check_forward(&t);
    suite_case("batchnorm_backward, one number in each channel");
    check_backward(&t);
}

void layers_check_norm_inference(const struct layer_shape *shape, int relu)
{
    struct batchnorm_case t = create_case(shape, relu);
    struct norm_inputs in;

    for (size_t c = 0; c < t.c; c++) {
        t.mean[c] = t.norm.d_running_mean[c];
        t.var[c] = t.norm.d_running_var[c];
    }
    layers_name_case("batchnorm_inference", shape);
    expect_success(batchnorm_inference(shape, &t.norm, t.x, t.y));
    in = inputs_of(&t, NULL);
    compare_y(&t, &in);
}

void layers_test_norm_inference(void)
{
    for (size_t i = 0; i < 2 * COUNT(shapes) && !suite_failed(); i++)
        layers_check_norm_inference(&shapes[i / 2], i % 2);
}

/* Where y is exactly 0, the ReLU passes no gradient. */
static void check_zeros(void)
{
    static const struct layer_shape shape = {6, 4, 3, 3};
    struct batchnorm_case t = create_case(&shape, 1);
    float *beta = suite_floats(t.c);

    for (size_t c = 0; c < t.c; c++)
        beta[c] = 0;
    t.norm.d_beta = beta;
    for (size_t i = 0; i < t.n; i++)
        t.x[i] = (float)(i % 3) - 1; /* a channel's mean is 0 */
    suite_case("batchnorm_backward with ReLU, a third of y is 0");
    compute_statistics(&t);
    check_backward(&t);
    if (suite_failed())
        suite_hint("The gradient is 0 where y is 0, too: y <= 0, not y < 0.");
}

void layers_test_norm_grad(void)
{
    for (size_t i = 0; i < 2 * COUNT(shapes) && !suite_failed(); i++) {
        struct batchnorm_case t = create_case(&shapes[i / 2], i % 2);

        layers_name_case(i % 2 ? "batchnorm_backward with ReLU"
                         : "batchnorm_backward", &t.shape);
        compute_statistics(&t);
        check_backward(&t);
    }
    if (!suite_failed())
        check_zeros();
}

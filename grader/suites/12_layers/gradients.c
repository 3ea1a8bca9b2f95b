/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: every backward held against differences of its forward, in
 * double.  The loss is the sum of y times fixed weights, so y_grad is these. */
#include "suite_12.h"

enum { N = 2, C = 3, H = 4, W = 5, ALL = N * C * H * W };

static const struct layer_shape shape = {N, C, H, W};

/* What a loss needs beside its argument. */
struct setting {
    const float *weights; /* y_grad */
    const float *other;   /* bias, or x where the argument is a parameter */
    const uint8_t *labels;
    struct pool_shape pool;
    const float *gamma, *beta;
    int relu;
};

/* n numbers at least 0.01 apart and from 0, in random order: no kink near. */
static float *spaced(size_t n)
{
    float *x = suite_floats(n);

    for (size_t i = 0; i < n; i++) {
        const size_t k = (size_t)random_between(0, (int64_t)i);

        x[i] = x[k];
        x[k] = ((float)i - (float)n / 2 + 0.5f) * 0.02f;
    }
    return x;
}

/* Bias and ReLU; the argument is x, then the bias. */
static double loss_of_bias(const double *at, const void *context)
{
    const struct setting *s = context;
    double loss = 0;

    for (size_t i = 0; i < ALL; i++) {
        double y = at[i] + at[ALL + layers_channel(&shape, i)];

        loss += s->weights[i] * (y > 0 ? y : 0);
    }
    return loss;
}

static void check_bias(void)
{
    struct setting s = {.weights = layers_floats(ALL, -1, 1)};
    float *got = suite_floats(ALL + C), *y = suite_floats(ALL);
    float *x = spaced(ALL);
    float zero[C] = {0};

    suite_case("bias_relu_backward against differences");
    expect_success(bias_relu_forward(&shape, x, zero, y));
    expect_success(bias_relu_backward(&shape, y, s.weights, got, got + ALL));
    expect_gradient(&(struct gradient){
        "x_grad, then bias_grad", loss_of_bias, &s,
        layers_doubles(memcpy(suite_floats(ALL + C), x, ALL * sizeof *x),
                       ALL + C), got, ALL + C, 64});
}

/* Max-pooling, written as a maximum over the windows. */
static double loss_of_pool(const double *at, const void *context)
{
    const struct setting *s = context;
    const struct pool_shape *p = &s->pool;
    const int rows = POOL_OUT(p->h, p->size, p->stride, p->pad);
    const int columns = POOL_OUT(p->w, p->size, p->stride, p->pad);
    double loss = 0;

    for (int i = 0; i < N * C * rows * columns; i++) {
        const int top = i / columns % rows * p->stride - p->pad;
        const int left = i % columns * p->stride - p->pad;
        const double *plane = at + i / (rows * columns) * H * W;
        double most = -INFINITY;

        for (int k = 0; k < H * W; k++)
            if (k / W >= top && k / W < top + p->size && k % W >= left
                && k % W < left + p->size)
                most = fmax(most, plane[k]);
        loss += s->weights[i] * most;
    }
    return loss;
}

static void check_pool(int size, int stride, int pad)
{
    struct setting s = {.weights = layers_floats(4 * ALL, -1, 1),
                        .pool = {N, C, H, W, size, stride, pad}};
    float *x = spaced(ALL), *got = suite_floats(ALL);
    float *y = suite_floats(4 * ALL);
    uint8_t *winner = suite_bytes(4 * ALL);

    suite_case("maxpool_backward against differences, size %d, stride %d",
               size, stride);
    expect_success(maxpool_forward(&s.pool, x, y, winner));
    expect_success(maxpool_backward(&s.pool, winner, s.weights, got));
    expect_gradient(&(struct gradient){"x_grad", loss_of_pool, &s,
                                       layers_doubles(x, ALL), got, ALL, 16});
}

/* Mean cross-entropy of N * C rows of H * W classes. */
static double loss_of_softmax(const double *at, const void *context)
{
    const struct setting *s = context;
    double loss = 0;

    for (int row = 0; row < N * C; row++) {
        const double *x = at + row * H * W;
        double sum = 0;

        for (int i = 0; i < H * W; i++)
            sum += exp(x[i]);
        loss += log(sum) - x[s->labels[row]];
    }
    return loss / (N * C);
}

static void check_softmax(void)
{
    static const struct layer_shape rows = {N * C, H * W, 1, 1};
    float *x = layers_floats(ALL, -1, 1), *got = suite_floats(ALL);
    float *losses = suite_floats(N * C + 1);
    uint8_t *labels = suite_bytes(N * C);
    struct setting s = {.labels = labels};

    for (int i = 0; i < N * C; i++)
        labels[i] = (uint8_t)random_between(0, H * W - 1);
    suite_case("softmax_loss against differences");
    expect_success(softmax_loss(&rows, x, labels, losses, got));
    expect_gradient(&(struct gradient){"x_grad", loss_of_softmax, &s,
                                       layers_doubles(x, ALL), got, ALL, 64});
}

/* Batch-norm; the argument is x, then gamma, then beta. */
static double loss_of_norm(const double *at, const void *context)
{
    const struct setting *s = context;
    double loss = 0, mean[C] = {0}, var[C] = {0};
    const double m = ALL / C;

    for (size_t i = 0; i < ALL; i++)
        mean[layers_channel(&shape, i)] += at[i] / m;
    for (size_t i = 0; i < ALL; i++) {
        const size_t c = layers_channel(&shape, i);

        var[c] += (at[i] - mean[c]) * (at[i] - mean[c]) / m;
    }
    for (size_t i = 0; i < ALL; i++) {
        const size_t c = layers_channel(&shape, i);
        const double y = at[ALL + c] * (at[i] - mean[c])
                             / sqrt(var[c] + (double)1e-5f)
                         + at[ALL + C + c];

        loss += s->weights[i] * (s->relu && y < 0 ? 0 : y);
    }
    return loss;
}

/* Weights are 0 where y is near the ReLU's kink: no difference straddles it. */
static void avoid_kink(float *weights, const float *y)
{
    for (size_t i = 0; i < ALL; i++)
        if (fabsf(y[i]) < 0.05f)
            weights[i] = 0;
}

static void check_norm(int relu)
{
    float *at = layers_floats(ALL + 2 * C, 0.5, 2), *y = suite_floats(ALL);
    float *got = suite_floats(ALL + 2 * C), *kept = suite_floats(4 * C);
    float *weights = layers_floats(ALL, -1, 1);
    struct setting s = {.weights = weights, .relu = relu};
    struct batchnorm norm = {
        .epsilon = 1e-5f, .momentum = 0.1f, .relu = 0,
        .d_gamma = at + ALL, .d_beta = at + ALL + C, .d_running_mean = kept,
        .d_running_var = kept + C, .d_mean = kept + 2 * C,
        .d_inv_std = kept + 3 * C, .d_gamma_grad = got + ALL,
        .d_beta_grad = got + ALL + C};

    suite_case("batchnorm_backward%s against differences",
               relu ? " with ReLU" : "");
    expect_success(batchnorm_forward(&shape, &norm, at, y));
    avoid_kink(weights, y);
    norm.relu = relu;
    expect_success(batchnorm_backward(&shape, &norm, at, s.weights, got));
    expect_gradient(&(struct gradient){
        "x_grad, gamma_grad, beta_grad", loss_of_norm, &s,
        layers_doubles(at, ALL + 2 * C), got, ALL + 2 * C, 128});
}

void layers_test_gradients(void)
{
    check_bias();
    check_pool(2, 2, 0);
    check_pool(3, 1, 1);
    check_pool(2, 3, 0);
    check_softmax();
    check_norm(0);
    check_norm(1);
}

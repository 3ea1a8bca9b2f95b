/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: each gradient compared with finite differences of the
 * forward pass in double.  The loss is the sum of y times fixed weights, so
 * y_grad is the weights. */
#include "suite_12.h"

enum { N = 2, C = 3, H = 4, W = 5, ALL = N * C * H * W };

static const struct layer_shape shape = {N, C, H, W};

/* Parameters of a loss function besides its argument. */
struct loss_context {
    const float *weights; /* y_grad */
    const float *other;   /* bias, or x where the argument is a parameter */
    const uint8_t *labels;
    struct pool_shape pool;
    const float *gamma, *beta;
    int relu;
};

/* n values at least 0.01 apart and away from 0, in random order: no kink of
 * ReLU or maximum is near. */
static float *distinct_values(size_t n)
{
    float *x = suite_floats(n);

    for (size_t i = 0; i < n; i++) {
        const size_t k = (size_t)random_int(0, (int64_t)i);

        x[i] = x[k];
        x[k] = ((float)i - (float)n / 2 + 0.5f) * 0.02f;
    }
    return x;
}

/* The loss of bias and ReLU as a function of x, then the bias. */
static double bias_loss(const double *point, const void *context)
{
    const struct loss_context *s = context;
    double loss = 0;

    for (size_t i = 0; i < ALL; i++) {
        double y = point[i] + point[ALL + layers_channel_index(&shape, i)];

        loss += s->weights[i] * (y > 0 ? y : 0);
    }
    return loss;
}

static void check_bias(void)
{
    struct loss_context s = {.weights = layers_random_floats(ALL, -1, 1)};
    float *got = suite_floats(ALL + C), *y = suite_floats(ALL);
    float *x = distinct_values(ALL);
    float zero[C] = {0};

    suite_case("bias_relu_backward against differences");
    expect_success(bias_relu_forward(&shape, x, zero, y));
    expect_success(bias_relu_backward(&shape, y, s.weights, got, got + ALL));
    expect_gradient(&(struct gradient){
        "x_grad", {{"bias_grad", C}}, bias_loss, &s,
        layers_to_doubles(memcpy(suite_floats(ALL + C), x, ALL * sizeof *x),
                          ALL + C), got, ALL + C, 64});
}

/* The loss of max-pooling, a maximum over each window. */
static double pool_loss(const double *point, const void *context)
{
    const struct loss_context *s = context;
    const struct pool_shape *p = &s->pool;
    const int rows = POOL_OUTPUT_SIZE(p->h, p->size, p->stride, p->pad);
    const int columns = POOL_OUTPUT_SIZE(p->w, p->size, p->stride, p->pad);
    double loss = 0;

    for (int i = 0; i < N * C * rows * columns; i++) {
        const int top = i / columns % rows * p->stride - p->pad;
        const int left = i % columns * p->stride - p->pad;
        const double *plane = point + i / (rows * columns) * H * W;
        double maximum = -INFINITY;

        for (int k = 0; k < H * W; k++)
            if (k / W >= top && k / W < top + p->size && k % W >= left
                && k % W < left + p->size)
                maximum = fmax(maximum, plane[k]);
        loss += s->weights[i] * maximum;
    }
    return loss;
}

static void check_pool(int size, int stride, int pad)
{
    struct loss_context s = {.weights = layers_random_floats(4 * ALL, -1, 1),
                        .pool = {N, C, H, W, size, stride, pad}};
    float *x = distinct_values(ALL), *got = suite_floats(ALL);
    float *y = suite_floats(4 * ALL);
    uint8_t *argmax = suite_bytes(4 * ALL);

    suite_case("maxpool_backward against differences, size %d, stride %d",
               size, stride);
    expect_success(maxpool_forward(&s.pool, x, y, argmax));
    expect_success(maxpool_backward(&s.pool, argmax, s.weights, got));
    expect_gradient(&(struct gradient){
        .name = "x_grad", .loss = pool_loss, .context = &s,
        .point = layers_to_doubles(x, ALL), .got = got, .n = ALL,
        .steps = 16});
}

/* Mean cross-entropy of N * C rows of H * W classes. */
static double softmax_loss_reference(const double *point, const void *context)
{
    const struct loss_context *s = context;
    double loss = 0;

    for (int row = 0; row < N * C; row++) {
        const double *x = point + row * H * W;
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
    float *x = layers_random_floats(ALL, -1, 1), *got = suite_floats(ALL);
    float *losses = suite_floats(N * C + 1);
    uint8_t *labels = suite_bytes(N * C);
    struct loss_context s = {.labels = labels};

    for (int i = 0; i < N * C; i++)
        labels[i] = (uint8_t)random_int(0, H * W - 1);
    suite_case("softmax_cross_entropy against differences");
    expect_success(softmax_cross_entropy(&rows, x, labels, losses, got));
    expect_gradient(&(struct gradient){
        .name = "x_grad", .loss = softmax_loss_reference, .context = &s,
        .point = layers_to_doubles(x, ALL), .got = got, .n = ALL,
        .steps = 64});
}

/* The loss of batch normalization as a function of x, gamma, beta. */
static double norm_loss(const double *point, const void *context)
{
    const struct loss_context *s = context;
    double loss = 0, mean[C] = {0}, var[C] = {0};
    const double m = ALL / C;

    for (size_t i = 0; i < ALL; i++)
        mean[layers_channel_index(&shape, i)] += point[i] / m;
    for (size_t i = 0; i < ALL; i++) {
        const size_t c = layers_channel_index(&shape, i);

        var[c] += (point[i] - mean[c]) * (point[i] - mean[c]) / m;
    }
    for (size_t i = 0; i < ALL; i++) {
        const size_t c = layers_channel_index(&shape, i);
        const double y = point[ALL + c] * (point[i] - mean[c])
                             / sqrt(var[c] + (double)1e-5f)
                         + point[ALL + C + c];

        loss += s->weights[i] * (s->relu && y < 0 ? 0 : y);
    }
    return loss;
}

/* Sets the weights to 0 where y is near the kink of the ReLU, so that no
 * difference crosses it. */
static void zero_weights_near_kink(float *weights, const float *y)
{
    for (size_t i = 0; i < ALL; i++)
        if (fabsf(y[i]) < 0.05f)
            weights[i] = 0;
}

static void check_norm(int relu)
{
    float *point = layers_random_floats(ALL + 2 * C, 0.5, 2),
          *y = suite_floats(ALL);
    float *got = suite_floats(ALL + 2 * C), *statistics = suite_floats(4 * C);
    float *weights = layers_random_floats(ALL, -1, 1);
    struct loss_context s = {.weights = weights, .relu = relu};
    struct batchnorm norm = {.epsilon = 1e-5f,
                             .momentum = 0.1f,
                             .relu = 0,
                             .d_gamma = point + ALL,
                             .d_beta = point + ALL + C,
                             .d_running_mean = statistics,
                             .d_running_var = statistics + C,
                             .d_mean = statistics + 2 * C,
                             .d_inv_std = statistics + 3 * C,
                             .d_gamma_grad = got + ALL,
                             .d_beta_grad = got + ALL + C};

    suite_case("batchnorm_backward%s against differences",
               relu ? " with ReLU" : "");
    expect_success(batchnorm_forward(&shape, &norm, point, y));
    zero_weights_near_kink(weights, y);
    norm.relu = relu;
    expect_success(batchnorm_backward(&shape, &norm, point, s.weights, got));
    expect_gradient(&(struct gradient){
        "x_grad", {{"gamma_grad", C}, {"beta_grad", C}}, norm_loss, &s,
        layers_to_doubles(point, ALL + 2 * C), got, ALL + 2 * C, 128});
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

/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: empty tensors, invalid arguments, NaN, in place, large,
 * deterministic; and the watched cases. */
#include <limits.h>

#include "suite_12.h"

/* Random parameters for a batch normalization of up to 8 channels. */
static struct batchnorm random_batchnorm(void)
{
    float *params = layers_random_floats(64, 0.5, 1.5);

    return (struct batchnorm){.epsilon = 1e-5f, .momentum = 0.1f,
                              .d_gamma = params, .d_beta = params + 8,
                              .d_running_mean = params + 16,
                              .d_running_var = params + 24,
                              .d_mean = params + 32, .d_inv_std = params + 40,
                              .d_gamma_grad = params + 48,
                              .d_beta_grad = params + 56};
}

/* A batch of 0 images: gradients are 0, running averages stay. */
static void no_images(void)
{
    static const struct layer_shape none = {0, 3, 2, 2};
    static const struct pool_shape windows = {0, 3, 4, 4, 2, 2, 0};
    const double zeros[3] = {0};
    const struct batchnorm norm = random_batchnorm();
    float *out = suite_floats(8);
    uint8_t *bytes = suite_bytes(1);

    layers_name_case("all functions", &none);
    expect_success(bias_forward(&none, out, out, out));
    expect_success(bias_relu_forward(&none, out, out, out));
    expect_success(bias_backward(&none, out, out));
    layers_compare_n("bias_grad", out, zeros, NULL, 3);
    expect_success(bias_relu_backward(&none, out, out, out + 4, out));
    layers_compare_n("bias_grad", out, zeros, NULL, 3);
    expect_success(maxpool_forward(&windows, out, out, bytes));
    expect_success(maxpool_backward(&windows, bytes, out, out));
    expect_success(batchnorm_forward(&none, &norm, out, out));
    expect_success(batchnorm_inference(&none, &norm, out, out));
    expect_success(batchnorm_backward(&none, &norm, out, out, out));
    layers_compare_n("gamma_grad", norm.d_gamma_grad, zeros, NULL, 3);
    layers_compare_n("beta_grad", norm.d_beta_grad, zeros, NULL, 3);
}

void layers_test_empty(void)
{
    static const struct layer_shape no_rows = {0, 10, 1, 1},
                                    no_channels = {3, 0, 1, 1};
    const struct dropout how = {.p = 0.5f};
    const double zero = 0, nan[] = {NAN, NAN, NAN, NAN};
    float *out = suite_floats(8);
    uint8_t *labels = suite_bytes(4);

    no_images();
    suite_case("n = 0");
    expect_success(relu_forward(out, out, 0));
    expect_success(relu_backward(out, out, out, 0));
    expect_success(dropout_forward(&how, out, out, 0));
    expect_success(dropout_backward(&how, out, out, 0));
    layers_name_case("softmax", &no_rows);
    expect_success(softmax_forward(&no_rows, out, out));
    expect_success(softmax_cross_entropy(&no_rows, out, labels, out, out + 4));
    layers_compare_n("losses", out, &zero, NULL, 1);
    layers_name_case("all functions", &no_channels);
    expect_success(bias_backward(&no_channels, out, out));
    expect_success(softmax_forward(&no_channels, out, out));
    expect_success(
        softmax_cross_entropy(&no_channels, out, labels, out, out + 4));
    layers_compare_n("losses", out, nan, NULL, 4);
}

static void check_rejected_shape(const struct layer_shape *shape)
{
    const struct batchnorm norm = random_batchnorm();
    float *out = suite_floats(4);
    uint8_t *labels = suite_bytes(1);

    suite_case("shape {%d, %d, %d, %d}", shape->n, shape->c, shape->h,
               shape->w);
    expect_error(bias_forward(shape, out, out, out));
    expect_error(bias_relu_forward(shape, out, out, out));
    expect_error(softmax_forward(shape, out, out));
    expect_error(batchnorm_forward(shape, &norm, out, out));
    expect_error(batchnorm_inference(shape, &norm, out, out));
    if (shape->n < 0 || shape->c < 0) {
        expect_error(bias_backward(shape, out, out));
        expect_error(softmax_cross_entropy(shape, out, labels, out, out));
        expect_error(batchnorm_backward(shape, &norm, out, out, out));
    }
}

void layers_test_rejects_invalid(void)
{
    static const struct layer_shape invalid[] = {
        {-1, 3, 2, 2}, {2, -3, 1, 1}, {65536, 32768, 1, 1},
        {65536, 65536, 1, 1}}; /* 2^32 elements: 0 in 32 bits */
    static const struct layer_shape image = {2, 3, 2, 1};
    static const struct pool_shape windows[] = {
        {1, 1, 4, 4, 0, 1, 0},  {1, 1, 40, 40, 17, 1, 0},
        {1, 1, 4, 4, 2, 0, 0},  {1, 1, 4, 4, 3, 1, 2},
        {1, 1, 4, 4, 2, 1, -1}, {1, 1, 3, 9, 4, 1, 0},
        {1, 1, 9, 3, 4, 1, 0},  {-1, 1, 4, 4, 2, 2, 0},
        {1, 1, 0, 4, 2, 2, 1}};
    static const float shares[] = {1, -0.1f, 2, NAN};
    float *out = suite_floats(4096);
    uint8_t *bytes = suite_bytes(4096);

    for (size_t i = 0; i < COUNT(invalid); i++)
        check_rejected_shape(&invalid[i]);
    layers_name_case("softmax of an image", &image);
    expect_error(softmax_forward(&image, out, out));
    expect_error(softmax_cross_entropy(&image, out, bytes, out, out));
    for (size_t i = 0; i < COUNT(windows); i++) {
        const struct pool_shape *s = &windows[i];

        suite_case("pooling of {%d, %d, %d, %d}, size %d, stride %d, pad %d",
                   s->n, s->c, s->h, s->w, s->size, s->stride, s->pad);
        expect_error(maxpool_forward(s, out, out, bytes));
        expect_error(maxpool_backward(s, bytes, out, out));
    }
    for (size_t i = 0; i < COUNT(shares); i++) {
        suite_case("dropout, p = %g", shares[i]);
        expect_error(dropout_forward(&(struct dropout){.p = shares[i]}, out,
                                     out, 4));
    }
    suite_case("n = -1");
    expect_error(relu_forward(out, out, -1));
    expect_error(relu_backward(out, out, out, -1));
}

/* Which results depend on element [1][1]? */
enum reach { ELEMENT, ROW, CHANNEL };

/* Of a matrix these are NaN, and no other is. */
static void expect_nan(const char *function, const struct layer_shape *shape,
                       const float *out, enum reach reach)
{
    for (int row = 0; row < shape->n; row++)
        for (int c = 0; c < shape->c; c++) {
            const float got = out[row * shape->c + c];
            const bool is_reached = (reach == CHANNEL || row == 1)
                                    && (reach == ROW || c == 1);

            expect_that(isnan(got) == is_reached, "%s gives %g for [%d][%d]%s",
                        function, got, row, c, is_reached && got == 0
                            ? ", should be NaN: fmaxf(NaN, 0) is 0" : "");
        }
}

/* The result for [1][1], where y is 0. */
static void expect_masked(const char *function, float got)
{
    expect_that(got == 0, "%s gives %g where y is 0: 0 times NaN is NaN",
                function, got);
}

/* The same for functions with a ReLU in them; and 0 where y is, whatever
 * y_grad is. */
static void check_nan_in_fused(const struct layer_shape *shape, float *x)
{
    const size_t n = layers_element_count(shape), at = (size_t)shape->c + 1;
    float *y = suite_floats(n), *out = suite_floats(n);
    float *bias = layers_random_floats((size_t)shape->c, -1, 1);

    expect_success(softmax_forward(shape, x, y));
    expect_nan("softmax_forward", shape, y, ROW);
    expect_success(bias_relu_forward(shape, x, bias, y));
    expect_nan("bias_relu_forward", shape, y, ELEMENT);
    for (int relu = 0; relu < 2; relu++) {
        struct batchnorm norm = random_batchnorm();

        norm.relu = relu;
        suite_case("x[1][1] is NaN, relu = %d", relu);
        expect_success(batchnorm_inference(shape, &norm, x, y));
        expect_nan("batchnorm_inference", shape, y, ELEMENT);
        expect_success(batchnorm_forward(shape, &norm, x, y));
        expect_nan("batchnorm_forward", shape, y, CHANNEL);
    }
    suite_case("y_grad[1][1] is NaN");
    for (size_t i = 0; i < n; i++)
        y[i] = 1;
    expect_success(bias_relu_backward(shape, y, x, out, bias));
    expect_nan("bias_relu_backward", shape, out, ELEMENT);
    y[at] = 0;
    expect_success(bias_relu_backward(shape, y, x, out, bias));
    expect_masked("bias_relu_backward", out[at]);
    expect_success(relu_backward(y, x, out, (int)n));
    expect_masked("relu_backward", out[at]);
}

/* A NaN propagates to the results that depend on it, and to no other. */
void layers_test_nan(void)
{
    enum { ROWS = 5, C = 3, ALL = ROWS * C };
    static const struct layer_shape shape = {ROWS, C, 1, 1};
    const struct batchnorm norm = random_batchnorm();
    float *x = layers_random_floats(ALL, -1, 1), *y = suite_floats(ALL);
    float *out = suite_floats(ALL), *losses = suite_floats(ROWS + 1);
    uint8_t *labels = suite_bytes(ROWS);

    x[4] = NAN;
    suite_case("x[1][1] is NaN");
    expect_success(relu_forward(x, y, ALL));
    for (size_t i = 0; i < ALL; i++)
        expect_that(isnan(y[i]) == (i == 4), "relu_forward gives %g for %g",
                    y[i], x[i]);
    expect_success(relu_backward(y, x + 6, out, 6));
    expect_that(out[4] == x[10], "relu_backward gives %g for y = NaN, should "
                "be y_grad, %g", out[4], x[10]);
    expect_success(bias_backward(&shape, x, out));
    for (size_t i = 0; i < C; i++)
        expect_that(isnan(out[i]) == (i == 1), "bias_grad[%zu] is %g", i,
                    out[i]);
    expect_success(softmax_cross_entropy(&shape, x, labels, losses, out));
    for (size_t i = 0; i < ALL; i++)
        expect_that(isnan(out[i]) == (i / C == 1), "x_grad[%zu][%zu] is %g",
                    i / C, i % C, out[i]);
    expect_that(isnan(losses[1]) && isnan(losses[ROWS]) && !isnan(losses[0]),
                "losses are %g, %g, ...; their mean %g", losses[0], losses[1],
                losses[ROWS]);
    expect_success(batchnorm_forward(&shape, &norm, x, y));
    for (size_t i = 0; i < ALL; i++)
        expect_that(isnan(y[i]) == (i % C == 1), "batchnorm's y[%zu][%zu] is "
                    "%g", i / C, i % C, y[i]);
    check_nan_in_fused(&shape, x);
}

/* One call of each function. */
static void check_all(const struct layer_shape *images, size_t rows)
{
    const struct pool_shape windows = {images->n, images->c, images->h,
                                       images->w, 2, 2, 0};
    const struct layer_shape dense = {(int)rows, 10, 1, 1};

    layers_check_bias(images);
    layers_check_bias_grad(images);
    layers_check_bias_grad(&dense);
    layers_check_relu(layers_element_count(images));
    layers_check_fused(images);
    layers_check_fused(&dense);
    layers_check_pool(&windows);
    layers_check_softmax(rows, 10);
    layers_check_loss(rows, 10);
    layers_check_dropout(0.4f, layers_element_count(images));
    layers_check_norm(images, 0);
    layers_check_norm(images, 1);
    layers_check_norm_inference(images, 1);
}

void layers_test_in_place(void)
{
    static const struct layer_shape even = {3, 5, 6, 8}, odd = {3, 5, 7, 9};

    suite_in_place(true);
    check_all(&even, 33);
    check_all(&odd, 1);
    layers_check_softmax(3, 700);
    layers_check_loss(3, 700);
    layers_check_loss(2, 4500);
    suite_in_place(false);
}

void layers_test_large(void)
{
    static const struct layer_shape images = {4, 6, 48, 50};

    check_all(&images, 5003);
    layers_check_loss(100, 1000);
}

/* Overlapping windows with the same maximum: their gradients must be added in
 * a fixed order. */
static void check_pool_deterministic(void)
{
    enum { SIDE = 16, ALL = SIDE * SIDE };
    static const struct pool_shape shape = {1, 1, SIDE, SIDE, 5, 1, 2};
    float *x = layers_random_floats(ALL, -5, 5), *y = suite_floats(ALL);
    float *y_grad = layers_random_floats(ALL, -1, 1),
          *first = suite_floats(ALL);
    float *x_grad = suite_floats(ALL);
    uint8_t *argmax = suite_bytes(ALL);

    expect_success(maxpool_forward(&shape, x, y, argmax));
    for (unsigned order = 0; order < 3 && !suite_failed(); order++) {
        suite_case("maxpool_backward, call %u with the same numbers",
                   order + 1);
        suite_use_schedule(order);
        expect_success(maxpool_backward(&shape, argmax, y_grad, x_grad));
        if (order == 0)
            memcpy(first, x_grad, ALL * sizeof *first);
        expect_that(!memcmp(first, x_grad, ALL * sizeof *first),
                    "x_grad differs from the first call's: the order of the "
                    "additions is not deterministic");
    }
    suite_use_schedule(0);
}

/* The same inputs give the same bits, also after calls with other inputs. */
void layers_test_deterministic(void)
{
    enum { CALLS = 5, ROWS = 300, C = 10, ALL = ROWS * C };
    static const struct layer_shape shape = {ROWS, C, 1, 1},
                                    other = {30, 4, 3, 3};
    float *x = layers_random_floats(ALL, -3, 3), *out = suite_floats(ALL);
    float *sums = suite_floats(C), *losses = suite_floats(ROWS + 1);
    float *first = suite_floats(C + ROWS + 1);
    uint8_t *labels = suite_bytes(ROWS);

    for (int i = 0; i < CALLS && !suite_failed(); i++) {
        suite_case("call %d with the same numbers", i + 1);
        if (i > 1)
            suite_use_schedule((unsigned)i - 1);
        expect_success(bias_backward(&shape, x, sums));
        expect_success(softmax_cross_entropy(&shape, x, labels, losses, out));
        if (i == 0) {
            memcpy(first, sums, C * sizeof *sums);
            memcpy(first + C, losses, (ROWS + 1) * sizeof *losses);
        }
        expect_that(!memcmp(first, sums, C * sizeof *sums)
                    && !memcmp(first + C, losses,
                               (ROWS + 1) * sizeof *losses),
                    "bias_grad or losses differ from the first call's: the "
                    "order of the additions is not deterministic");
        layers_check_norm(&other, 0);
        layers_check_loss(257, 12);
    }
    suite_use_schedule(0);
    check_pool_deterministic();
    suite_capture_graph(); /* as the trainer calls the lab */
    check_all(&other, 301);
}

void layers_test_no_leak(void)
{
    static const struct layer_shape images = {2, 3, 8, 8};

    layers_check_bias(&images);
    expect_no_leak();
    layers_check_fused(&images);
    expect_no_leak();
    layers_check_loss(33, 10);
    expect_no_leak();
    layers_check_norm(&images, 1);
    expect_no_leak();
    layers_check_pool(&(struct pool_shape){2, 3, 8, 8, 2, 2, 0});
    expect_no_leak();
    layers_check_failures();
}

/* Watched: full and partial blocks, warps and float4s for each function. */
void layers_watched_small(void)
{
    static const struct layer_shape odd = {2, 3, 7, 9}, even = {3, 2, 8, 6};

    check_all(&even, 37);
    layers_check_bias(&odd);
    layers_check_fused(&odd);
    layers_check_norm(&odd, 1);
    layers_check_pool(&(struct pool_shape){2, 2, 7, 7, 3, 2, 1});
    layers_check_loss(3, 700);
    suite_in_place(true);
    layers_check_loss(40, 33);
    layers_check_fused(&odd);
    suite_in_place(false);
}

/* The fused functions: each element is transferred once. */
void layers_watched_fused(void)
{
    enum { ROWS = 256, CLASSES = 40 };
    static const struct layer_shape images = {8, 6, 16, 24};
    const double n = (double)layers_element_count(&images), c = ROWS * CLASSES;
    /* forward 1 load and 1 store, backward 2 and 1; batch normalization
     * likewise */
    const double accessed = (2 + 3 + 2 + 3) * n + 2 * c;

    layers_check_fused(&images);
    layers_check_loss(ROWS, CLASSES);
    layers_check_norm(&images, 1);
    expect_metric(METRIC_SECTORS, accessed / 8, accessed / 8,
                  "x the minimum");
    expect_metric(METRIC_SERIAL, 0, 25, "x the 25 that it may have");
    expect_metric(METRIC_REQUESTS, accessed / 128, accessed / 128,
                  "x the minimum");
    expect_metric(METRIC_LAUNCHES, 5, 5, "x the minimum");
}

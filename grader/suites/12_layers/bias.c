/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: bias, ReLU, and both at once. */
#include "mistakes.h"
#include "response.h"

static const struct layer_shape shapes[] = {
    {1, 1, 1, 1},   {1, 3, 1, 1},  {2, 3, 1, 1},    {2, 5, 4, 4},
    {3, 1, 2, 3},   {3, 31, 1, 1}, {7, 32, 1, 1},   {33, 33, 1, 1},
    {4, 7, 3, 5},   {1, 257, 1, 1}, {257, 3, 1, 1}, {5, 3, 16, 16},
    {3, 2, 31, 33}, {2, 2, 1, 6},  {63, 10, 1, 1},  {1, 1, 32, 33}};

/* x + bias in double, which rounds to the float result. */
static double *bias_reference(const struct layer_shape *shape, const float *x,
                              const float *bias, bool relu)
{
    const size_t n = layers_element_count(shape);
    double *y = suite_doubles(n);

    for (size_t i = 0; i < n; i++) {
        y[i] = (double)x[i] + bias[layers_channel_index(shape, i)];
        if (relu && y[i] < 0)
            y[i] = 0;
    }
    return y;
}

/* Compares the gradient of the loss with respect to the bias: the sums of
 * x_grad, which is y_grad after the mask of the ReLU. */
static void compare_bias_grad(const struct layer_shape *shape,
                              const double *x_grad, const float *y_grad,
                              const float *got)
{
    const struct bias_grad_inputs inputs = {shape, x_grad, y_grad};
    const struct response response = layers_bias_grad_response(&inputs);
    const size_t n = layers_element_count(shape), c = (size_t)shape->c;
    double *want = suite_doubles(c), *tolerance = suite_doubles(c);

    for (size_t i = 0; i < n; i++) {
        want[layers_channel_index(shape, i)] += x_grad[i];
        tolerance[layers_channel_index(shape, i)] += fabs(x_grad[i]);
    }
    for (size_t i = 0; i < c; i++)
        tolerance[i] *= 0x1p-23 * layers_rounding_steps(n / (c ? c : 1));
    suite_mistakes(layers_bias_grad_mistakes, &inputs);
    suite_response(&response);
    layers_compare_n("bias_grad", got, want, tolerance, c);
    suite_response(NULL);
    suite_mistakes(NULL, NULL);
}

void layers_check_bias(const struct layer_shape *shape)
{
    const size_t n = layers_element_count(shape);
    float *x = suite_floats(n), *y = suite_floats(n);
    float *bias = layers_random_floats((size_t)shape->c, -2, 2);
    const struct bias_inputs inputs = {shape, x, bias, false};

    random_wide_range(x, n);
    layers_name_case("bias_forward", shape);
    expect_success(bias_forward(shape, x, bias, y));
    suite_mistakes(layers_bias_mistakes, &inputs);
    layers_compare("y", y, bias_reference(shape, x, bias, false), NULL, shape);
    suite_mistakes(NULL, NULL);
}

void layers_test_bias(void)
{
    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++)
        layers_check_bias(&shapes[i]);
}

void layers_check_bias_grad(const struct layer_shape *shape)
{
    const size_t n = layers_element_count(shape);
    float *y_grad = layers_random_floats(n, -1, 2);
    float *bias_grad = suite_floats((size_t)shape->c);

    layers_name_case("bias_backward", shape);
    expect_success(bias_backward(shape, y_grad, bias_grad));
    compare_bias_grad(shape, layers_to_doubles(y_grad, n), y_grad, bias_grad);
}

/* A single float that adds these one by one rounds each time in the same
 * direction: its error is many times the tolerance. */
static void check_equal_addends(void)
{
    static const struct layer_shape shape = {64, 1, 64, 64};
    const size_t n = layers_element_count(&shape);
    float *y_grad = suite_floats(n), bias_grad = 0;

    for (size_t i = 0; i < n; i++)
        y_grad[i] = 0.1f;
    suite_case("bias_backward of %zu times 0.1", n);
    expect_success(bias_backward(&shape, y_grad, &bias_grad));
    compare_bias_grad(&shape, layers_to_doubles(y_grad, n), y_grad, &bias_grad);
}

void layers_test_bias_grad(void)
{
    static const struct layer_shape long_one = {40, 2, 32, 32};

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++)
        layers_check_bias_grad(&shapes[i]);
    layers_check_bias_grad(&long_one);
    check_equal_addends();
}

/* Values of both signs, some of them 0. */
static float *random_with_zeros(size_t n)
{
    float *x = suite_floats(n);

    random_wide_range(x, n);
    for (size_t i = 0; i < n; i += (size_t)random_int(1, 9))
        x[i] = i % 2 ? 0.0f : -0.0f;
    return x;
}

static double *relu_grad_reference(const float *y, const float *y_grad,
                                   size_t n)
{
    double *want = suite_doubles(n);

    for (size_t i = 0; i < n; i++)
        want[i] = y[i] <= 0 ? 0 : y_grad[i];
    return want;
}

void layers_check_relu(size_t n)
{
    float *x = random_with_zeros(n), *y = suite_floats(n);
    float *y_grad = suite_floats(n), *x_grad = suite_floats(n);
    double *want = suite_doubles(n);

    for (size_t i = 0; i < n; i++)
        want[i] = x[i] < 0 ? 0 : x[i];
    suite_case("relu_forward, n = %zu", n);
    expect_success(relu_forward(x, y, (int)n));
    layers_compare_n("y", y, want, NULL, n);
    random_wide_range(y_grad, n);
    suite_case("relu_backward, n = %zu", n);
    expect_success(relu_backward(y, y_grad, x_grad, (int)n));
    suite_mistakes(layers_relu_grad_mistakes,
                   &(struct relu_grad_inputs){y, y_grad});
    layers_compare_n("x_grad", x_grad, relu_grad_reference(y, y_grad, n), NULL,
                     n);
    suite_mistakes(NULL, NULL);
}

void layers_test_relu(void)
{
    static const size_t sizes[] = {1,   2,   3,   4,    5,    31,   32,  33,
                                   255, 256, 257, 1023, 1024, 1025, 7919};

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++)
        layers_check_relu(sizes[i]);
}

void layers_check_fused(const struct layer_shape *shape)
{
    const size_t n = layers_element_count(shape);
    float *x = layers_random_floats(n, -3, 3), *y = suite_floats(n);
    float *bias = layers_random_floats((size_t)shape->c, -1, 1);
    float *y_grad = layers_random_floats(n, -1, 2), *x_grad = suite_floats(n);
    float *bias_grad = suite_floats((size_t)shape->c);
    const struct bias_inputs inputs = {shape, x, bias, true};
    double *want;

    layers_name_case("bias_relu_forward", shape);
    expect_success(bias_relu_forward(shape, x, bias, y));
    suite_mistakes(layers_bias_mistakes, &inputs);
    layers_compare("y", y, bias_reference(shape, x, bias, true), NULL, shape);
    suite_mistakes(NULL, NULL);
    want = relu_grad_reference(y, y_grad, n);
    layers_name_case("bias_relu_backward", shape);
    expect_success(bias_relu_backward(shape, y, y_grad, x_grad, bias_grad));
    suite_mistakes(layers_relu_grad_mistakes,
                   &(struct relu_grad_inputs){y, y_grad});
    layers_compare("x_grad", x_grad, want, NULL, shape);
    suite_mistakes(NULL, NULL);
    compare_bias_grad(shape, want, y_grad, bias_grad);
}

void layers_test_fused(void)
{
    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++)
        layers_check_fused(&shapes[i]);
}

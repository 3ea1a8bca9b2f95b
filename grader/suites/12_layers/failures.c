/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: each launch of each function fails in turn. */
#include "suite_12.h"

enum { N = 2, C = 3, SIDE = 4, ALL = N * C * SIDE * SIDE };

static const struct layer_shape images = {N, C, SIDE, SIDE};
static const struct layer_shape rows = {N, C, 1, 1};
static const struct pool_shape pool = {N, C, SIDE, SIDE, 2, 2, 0};
static const struct dropout dropout = {.p = 0.5f};

static int64_t forward_bias(void)
{
    return bias_forward(&images, suite_floats(ALL), suite_floats(C),
                        suite_floats(ALL));
}

static int64_t backward_bias(void)
{
    return bias_backward(&images, suite_floats(ALL), suite_floats(C));
}

static int64_t forward_relu(void)
{
    return relu_forward(suite_floats(ALL), suite_floats(ALL), ALL);
}

static int64_t backward_relu(void)
{
    return relu_backward(suite_floats(ALL), suite_floats(ALL),
                         suite_floats(ALL), ALL);
}

static int64_t forward_bias_relu(void)
{
    return bias_relu_forward(&images, suite_floats(ALL), suite_floats(C),
                             suite_floats(ALL));
}

static int64_t backward_bias_relu(void)
{
    return bias_relu_backward(&images, suite_floats(ALL), suite_floats(ALL),
                              suite_floats(ALL), suite_floats(C));
}

static int64_t forward_pool(void)
{
    return maxpool_forward(&pool, suite_floats(ALL), suite_floats(ALL / 4),
                           suite_bytes(ALL / 4));
}

static int64_t backward_pool(void)
{
    return maxpool_backward(&pool, suite_bytes(ALL / 4), suite_floats(ALL / 4),
                            suite_floats(ALL));
}

static int64_t forward_softmax(void)
{
    return softmax_forward(&rows, suite_floats(N * C), suite_floats(N * C));
}

static int64_t loss(void)
{
    return softmax_cross_entropy(&rows, suite_floats(N * C), suite_bytes(N),
                                 suite_floats(N + 1), suite_floats(N * C));
}

static int64_t forward_dropout(void)
{
    return dropout_forward(&dropout, suite_floats(ALL), suite_floats(ALL), ALL);
}

static int64_t backward_dropout(void)
{
    return dropout_backward(&dropout, suite_floats(ALL), suite_floats(ALL),
                            ALL);
}

static struct batchnorm norm(void)
{
    float *p = layers_random_floats(8 * C, 0.5, 1.5);

    return (struct batchnorm){
        .epsilon = 1e-5f, .momentum = 0.1f, .d_gamma = p, .d_beta = p + C,
        .d_running_mean = p + 2 * C, .d_running_var = p + 3 * C,
        .d_mean = p + 4 * C, .d_inv_std = p + 5 * C,
        .d_gamma_grad = p + 6 * C, .d_beta_grad = p + 7 * C};
}

static int64_t forward_norm(void)
{
    const struct batchnorm now = norm();

    return batchnorm_forward(&images, &now, suite_floats(ALL),
                             suite_floats(ALL));
}

static int64_t infer_norm(void)
{
    const struct batchnorm now = norm();

    return batchnorm_inference(&images, &now, suite_floats(ALL),
                               suite_floats(ALL));
}

static int64_t backward_norm(void)
{
    const struct batchnorm now = norm();

    return batchnorm_backward(&images, &now, suite_floats(ALL),
                              suite_floats(ALL), suite_floats(ALL));
}

void layers_check_failures(void)
{
    static int64_t (*const calls[])(void) = {
        forward_bias,    backward_bias,     forward_relu,    backward_relu,
        forward_bias_relu, backward_bias_relu, forward_pool, backward_pool,
        forward_softmax, loss,              forward_dropout, backward_dropout,
        forward_norm,    infer_norm,        backward_norm};

    for (size_t i = 0; i < COUNT(calls) && !suite_failed(); i++)
        suite_check_failures(calls[i]);
}

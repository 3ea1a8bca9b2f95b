/* SPDX-License-Identifier: MIT */
/* Lab 12's functions in the trusted process: each ships its call. */
#include "runner/calls/12_layers.h"

#include "suite_12.h"

bool layers_in_place;

/* Begin a call of one of the functions. */
static void begin(enum layers_call which, const char *parameters)
{
    call_begin(which);
    call_parameters(parameters);
}

static void in(const float *data, size_t n)
{
    call_in(ON_DEVICE, data, n * sizeof *data);
}

static void out(float *data, size_t n)
{
    call_out(ON_DEVICE, data, n * sizeof *data);
}

/* The first array: an input, or input and output at once. */
static void first(const float *from, float *to, size_t n)
{
    if (!layers_in_place) {
        in(from, n);
        return;
    }
    memcpy(to, from, n * sizeof *from);
    call_inout(ON_DEVICE, to, n * sizeof *to);
}

/* The output that may be the first array. */
static void result(float *to, size_t n)
{
    if (layers_in_place)
        call_integer(0);
    else
        out(to, n);
}

static int end_with(const struct layer_shape *shape)
{
    call_integer(shape->n);
    call_integer(shape->c);
    call_integer(shape->h);
    call_integer(shape->w);
    return (int)call_end();
}

static int biased(enum layers_call which, const struct layer_shape *shape,
                  const float *d_x, const float *d_bias, float *d_y)
{
    const size_t n = layers_count(shape);

    begin(which, "(d_x, d_bias, d_y)");
    first(d_x, d_y, n);
    in(d_bias, n ? (size_t)shape->c : 0);
    result(d_y, n);
    return end_with(shape);
}

int bias_forward(const struct layer_shape *shape, const float *d_x,
                 const float *d_bias, float *d_y)
{
    return biased(BIAS_FORWARD, shape, d_x, d_bias, d_y);
}

int bias_relu_forward(const struct layer_shape *shape, const float *d_x,
                      const float *d_bias, float *d_y)
{
    return biased(BIAS_RELU_FORWARD, shape, d_x, d_bias, d_y);
}

int bias_backward(const struct layer_shape *shape, const float *d_y_grad,
                  float *d_bias_grad)
{
    begin(BIAS_BACKWARD, "(d_y_grad, d_bias_grad)");
    in(d_y_grad, layers_count(shape));
    out(d_bias_grad, shape->c > 0 ? (size_t)shape->c : 0);
    return end_with(shape);
}

int bias_relu_backward(const struct layer_shape *shape, const float *d_y,
                       const float *d_y_grad, float *d_x_grad,
                       float *d_bias_grad)
{
    const size_t n = layers_count(shape);

    begin(BIAS_RELU_BACKWARD, "(d_y_grad, d_y, d_x_grad, d_bias_grad)");
    first(d_y_grad, d_x_grad, n);
    in(d_y, n);
    result(d_x_grad, n);
    out(d_bias_grad, shape->c > 0 ? (size_t)shape->c : 0);
    return end_with(shape);
}

int relu_forward(const float *d_x, float *d_y, int n)
{
    begin(RELU_FORWARD, "(d_x, d_y)");
    first(d_x, d_y, n > 0 ? (size_t)n : 0);
    result(d_y, n > 0 ? (size_t)n : 0);
    call_integer(n);
    return (int)call_end();
}

int relu_backward(const float *d_y, const float *d_y_grad, float *d_x_grad,
                  int n)
{
    const size_t count = n > 0 ? (size_t)n : 0;

    begin(RELU_BACKWARD, "(d_y_grad, d_y, d_x_grad)");
    first(d_y_grad, d_x_grad, count);
    in(d_y, count);
    result(d_x_grad, count);
    call_integer(n);
    return (int)call_end();
}

/* Elements before and after a pooling; none when refused. */
static void pool_counts(const struct pool_shape *s, size_t *before,
                        size_t *after)
{
    const int p = POOL_OUT(s->h, s->size, s->stride > 0 ? s->stride : 1,
                           s->pad);
    const int q = POOL_OUT(s->w, s->size, s->stride > 0 ? s->stride : 1,
                           s->pad);
    const struct layer_shape x = {s->n, s->c, s->h, s->w};
    const struct layer_shape y = {s->n, s->c, p, q};

    *before = layers_count(&x);
    *after = layers_count(&y);
}

static int end_pool(const struct pool_shape *s)
{
    const int sizes[] = {s->n, s->c, s->h, s->w, s->size, s->stride, s->pad};

    for (size_t i = 0; i < COUNT(sizes); i++)
        call_integer(sizes[i]);
    return (int)call_end();
}

int maxpool_forward(const struct pool_shape *shape, const float *d_x,
                    float *d_y, unsigned char *d_winner)
{
    size_t before, after;

    pool_counts(shape, &before, &after);
    begin(MAXPOOL_FORWARD, "(d_x, d_y, d_winner)");
    in(d_x, before);
    out(d_y, after);
    call_out(ON_DEVICE, d_winner, after);
    return end_pool(shape);
}

int maxpool_backward(const struct pool_shape *shape,
                     const unsigned char *d_winner, const float *d_y_grad,
                     float *d_x_grad)
{
    size_t before, after;

    pool_counts(shape, &before, &after);
    begin(MAXPOOL_BACKWARD, "(d_winner, d_y_grad, d_x_grad)");
    call_in(ON_DEVICE, d_winner, after);
    in(d_y_grad, after);
    out(d_x_grad, before);
    return end_pool(shape);
}

int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y)
{
    const size_t n = layers_count(shape);

    begin(SOFTMAX_FORWARD, "(d_x, d_y)");
    first(d_x, d_y, n);
    result(d_y, n);
    return end_with(shape);
}

int softmax_loss(const struct layer_shape *shape, const float *d_x,
                 const unsigned char *d_labels, float *d_losses,
                 float *d_x_grad)
{
    const size_t n = layers_count(shape);
    const size_t rows = shape->n > 0 ? (size_t)shape->n : 0;

    begin(SOFTMAX_LOSS, "(d_x, d_labels, d_losses, d_x_grad)");
    first(d_x, d_x_grad, n);
    call_in(ON_DEVICE, d_labels, rows);
    call_misalign(1);
    out(d_losses, rows + 1);
    result(d_x_grad, n);
    return end_with(shape);
}

static int drop(enum layers_call which, const struct dropout *how,
                const float *from, float *to, int n)
{
    static const int no_step;

    begin(which, which == DROPOUT_FORWARD ? "(d_x, d_y, d_step)"
                                          : "(d_y_grad, d_x_grad, d_step)");
    first(from, to, n > 0 ? (size_t)n : 0);
    result(to, n > 0 ? (size_t)n : 0);
    call_in(ON_DEVICE, how->d_step ? how->d_step : &no_step, sizeof(int));
    call_integer(n);
    call_integer((int64_t)how->seed);
    call_integer(how->d_step != NULL);
    call_real(how->p);
    return (int)call_end();
}

int dropout_forward(const struct dropout *how, const float *d_x, float *d_y,
                    int n)
{
    return drop(DROPOUT_FORWARD, how, d_x, d_y, n);
}

int dropout_backward(const struct dropout *how, const float *d_y_grad,
                     float *d_x_grad, int n)
{
    return drop(DROPOUT_BACKWARD, how, d_y_grad, d_x_grad, n);
}

/* The struct's arrays; those that this function writes are outputs. */
static int end_norm(enum layers_call which, const struct layer_shape *shape,
                    const struct batchnorm *norm)
{
    const size_t c = shape->c > 0 ? (size_t)shape->c : 0;
    const bool forward = which == BATCHNORM_FORWARD && layers_count(shape);

    in(norm->d_gamma, c);
    in(norm->d_beta, c);
    if (forward) {
        call_inout(ON_DEVICE, norm->d_running_mean, c * sizeof(float));
        call_inout(ON_DEVICE, norm->d_running_var, c * sizeof(float));
        out(norm->d_mean, c);
        out(norm->d_inv_std, c);
    } else {
        in(norm->d_running_mean, c);
        in(norm->d_running_var, c);
        in(norm->d_mean, c);
        in(norm->d_inv_std, c);
    }
    if (which == BATCHNORM_BACKWARD) {
        out(norm->d_gamma_grad, c);
        out(norm->d_beta_grad, c);
    } else {
        in(norm->d_gamma_grad, c);
        in(norm->d_beta_grad, c);
    }
    call_integer(shape->n);
    call_integer(shape->c);
    call_integer(shape->h);
    call_integer(shape->w);
    call_integer(norm->relu);
    call_real(norm->epsilon);
    call_real(norm->momentum);
    return (int)call_end();
}

#define NORM_ARRAYS "norm.d_gamma, norm.d_beta, norm.d_running_mean, " \
    "norm.d_running_var, norm.d_mean, norm.d_inv_std, norm.d_gamma_grad, " \
    "norm.d_beta_grad)"

int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y)
{
    begin(BATCHNORM_FORWARD, "(d_x, unused, d_y, " NORM_ARRAYS);
    in(d_x, layers_count(shape));
    call_integer(0);
    out(d_y, layers_count(shape));
    return end_norm(BATCHNORM_FORWARD, shape, norm);
}

int batchnorm_inference(const struct layer_shape *shape,
                        const struct batchnorm *norm, const float *d_x,
                        float *d_y)
{
    begin(BATCHNORM_INFERENCE, "(d_x, unused, d_y, " NORM_ARRAYS);
    first(d_x, d_y, layers_count(shape));
    call_integer(0);
    result(d_y, layers_count(shape));
    return end_norm(BATCHNORM_INFERENCE, shape, norm);
}

int batchnorm_backward(const struct layer_shape *shape,
                       const struct batchnorm *norm, const float *d_x,
                       const float *d_y_grad, float *d_x_grad)
{
    begin(BATCHNORM_BACKWARD, "(d_y_grad, d_x, d_x_grad, " NORM_ARRAYS);
    first(d_y_grad, d_x_grad, layers_count(shape));
    in(d_x, layers_count(shape));
    result(d_x_grad, layers_count(shape));
    return end_norm(BATCHNORM_BACKWARD, shape, norm);
}

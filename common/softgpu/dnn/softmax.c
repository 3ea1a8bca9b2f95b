/* SPDX-License-Identifier: MIT */
/* Softmax over the channels of a position, or over a whole image. */
#include <math.h>

#include "loop_nest.h"

/** Arguments of a call; the operands are out (y or dx), x or y, and dy. */
struct softmax {
    struct softgpu_library_call call;
    cudnnSoftmaxAlgorithm_t algo;
    double alpha, beta;
    int arguments;
    struct dnn_argument argument[3];
    struct dnn_loop_nest nest;
};

enum { OUT, IN, DY };

/* For the checks: inputs before the output. */
static void declare_arrays(const void *self)
{
    const struct softmax *s = self;

    for (int k = s->arguments - 1; k >= 0; k--)
        dnn_array(&s->argument[k]);
}

/* The element at the cursor, as double. */
static double load_operand(const struct softmax *s, int k,
                           const struct dnn_cursor *c)
{
    return dnn_load_element(s->argument[k].ptr, s->argument[k].tensor.type,
                            c->at[k]);
}

/* out = alpha * y + beta * out */
static void store_output(const struct softmax *s, const struct dnn_cursor *c,
                         double y)
{
    const struct dnn_argument *out = &s->argument[OUT];

    y *= s->alpha;
    if (s->beta != 0)
        y += s->beta * load_operand(s, OUT, c);
    dnn_store_element(out->ptr, out->tensor.type, c->at[OUT], y);
}

/* Iterate over the elements of one softmax. */
#define FOR_EACH_IN_GROUP(s, c, at)                                 \
    for (dnn_iterator_start(c, &(s)->nest.inner_loop, at, 0,        \
                        dnn_iterator_count(&(s)->nest.inner_loop)); \
         dnn_iterator_has_next(c); dnn_iterator_next(c))

/* CUDNN_SOFTMAX_FAST does not subtract the maximum, and may overflow. */
static void forward(const struct softmax *s, const ptrdiff_t *at)
{
    struct dnn_cursor c;
    double max_logit = -INFINITY, sum = 0;

    FOR_EACH_IN_GROUP(s, &c, at)
        max_logit = fmax(max_logit, load_operand(s, IN, &c));
    if (s->algo == CUDNN_SOFTMAX_FAST)
        max_logit = 0;
    FOR_EACH_IN_GROUP(s, &c, at)
        sum += exp(load_operand(s, IN, &c) - max_logit);
    FOR_EACH_IN_GROUP(s, &c, at) {
        const double x = load_operand(s, IN, &c) - max_logit;

        store_output(
            s, &c, s->algo == CUDNN_SOFTMAX_LOG ? x - log(sum) : exp(x) / sum);
    }
}

/* One group of elements, which sum to 1. */
static void backward(const struct softmax *s, const ptrdiff_t *at)
{
    const bool is_log = s->algo == CUDNN_SOFTMAX_LOG;
    struct dnn_cursor c;
    double sum = 0;

    FOR_EACH_IN_GROUP(s, &c, at)
        sum += load_operand(s, DY, &c) * (is_log ? 1 : load_operand(s, IN, &c));
    FOR_EACH_IN_GROUP(s, &c, at) {
        const double y = load_operand(s, IN, &c), dy = load_operand(s, DY, &c);

        store_output(s, &c, is_log ? dy - exp(y) * sum : y * (dy - sum));
    }
}

/* A part of all groups. */
static void run(const void *self, unsigned part)
{
    const struct softmax *s = self;
    const size_t n = dnn_iterator_count(&s->nest.outer_loop);
    struct dnn_cursor c;

    dnn_iterator_start(&c, &s->nest.outer_loop, NULL,
                       dnn_part_begin(n, part, s->call.parts),
                       dnn_part_begin(n, part + 1, s->call.parts));
    for (; dnn_iterator_has_next(&c); dnn_iterator_next(&c))
        if (s->arguments == 2)
            forward(s, c.at);
        else
            backward(s, c.at);
}

/* Queue the call with its cost. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct softmax *s,
                            cudnnSoftmaxMode_t mode)
{
    const struct cudnnTensorStruct *x = &s->argument[OUT].tensor;
    const struct cudnnTensorStruct *tensors[3];
    int outer_size[CUDNN_DIM_MAX];

    for (int k = 0; k < s->arguments; k++)
        tensors[k] = &s->argument[k].tensor;
    for (int d = 0; d < x->dims; d++)
        outer_size[d] = d == 0 || (mode == CUDNN_SOFTMAX_MODE_CHANNEL && d > 1)
                      ? x->size[d] : 1;
    s->nest = dnn_loop_nest(x, outer_size, tensors, s->arguments);
    s->call.parts =
        dnn_parts(dnn_iterator_count(&s->nest.outer_loop),
                  8.0 * (double)dnn_iterator_count(&s->nest.inner_loop));
    s->call.operations = 5.0 * (double)dnn_count(x);
    s->call.bytes = s->arguments * (double)dnn_count(x)
                    * (double)dnn_bytes(x->type);
    return dnn_submit(handle, s, sizeof *s);
}

/* Values of the enumerations. */
static bool is_softmax(cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode)
{
    return (unsigned)algo <= CUDNN_SOFTMAX_LOG
           && (unsigned)mode <= CUDNN_SOFTMAX_MODE_CHANNEL;
}

cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle,
                                  cudnnSoftmaxAlgorithm_t algo,
                                  cudnnSoftmaxMode_t mode, const void *alpha,
                                  const cudnnTensorDescriptor_t x_desc,
                                  const void *x, const void *beta,
                                  const cudnnTensorDescriptor_t y_desc, void *y)
{
    struct softmax s = {.call = DNN_CALL(run, declare_arrays), .algo = algo,
                        .arguments = 2};

    DNN_REQUIRE_PARAM(handle && is_softmax(algo, mode) && alpha && beta && x
                      && y);
    DNN_REQUIRE_PARAM(dnn_is_set(x_desc) && dnn_is_set(y_desc));
    DNN_REQUIRE_PARAM(dnn_same_size(x_desc, y_desc)
                      && x_desc->type == y_desc->type);
    s.alpha = dnn_scalar(alpha, x_desc->type);
    s.beta = dnn_scalar(beta, x_desc->type);
    s.argument[OUT] = dnn_out("y", y_desc, y, s.beta);
    s.argument[IN] = dnn_in("x", x_desc, x);
    return submit(handle, &s, mode);
}

cudnnStatus_t cudnnSoftmaxBackward(
    cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode,
    const void *alpha, const cudnnTensorDescriptor_t y_desc, const void *y,
    const cudnnTensorDescriptor_t dy_desc, const void *dy, const void *beta,
    const cudnnTensorDescriptor_t dx_desc, void *dx)
{
    struct softmax s = {.call = DNN_CALL(run, declare_arrays), .algo = algo,
                        .arguments = 3};

    DNN_REQUIRE_PARAM(handle && is_softmax(algo, mode) && alpha && beta);
    DNN_REQUIRE_PARAM(y && dy && dx && dnn_is_set(y_desc) && dnn_is_set(dy_desc)
                      && dnn_is_set(dx_desc));
    DNN_REQUIRE_PARAM(dnn_same_size(y_desc, dy_desc)
                      && dnn_same_size(y_desc, dx_desc));
    DNN_REQUIRE_PARAM(y_desc->type == dy_desc->type
                      && y_desc->type == dx_desc->type);
    s.alpha = dnn_scalar(alpha, y_desc->type);
    s.beta = dnn_scalar(beta, y_desc->type);
    s.argument[OUT] = dnn_out("dx", dx_desc, dx, s.beta);
    s.argument[IN] = dnn_in("y", y_desc, y);
    s.argument[DY] = dnn_in("dy", dy_desc, dy);
    return submit(handle, &s, mode);
}

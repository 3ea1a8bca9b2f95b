/* SPDX-License-Identifier: MIT */
/* Softmax over the channels of a place, or over all of an image. */
#include <math.h>

#include "fold.h"

/** A call; the operands are out (y or dx), x or y, and dy. */
struct softmax {
    struct softgpu_library_call call;
    cudnnSoftmaxAlgorithm_t algo;
    double alpha, beta;
    int arguments;
    struct dnn_argument argument[3];
    struct dnn_fold fold;
};

enum { OUT, IN, DY };

static void name_arrays(const void *self)
{
    const struct softmax *s = self;

    for (int k = s->arguments - 1; k >= 0; k--)
        dnn_array(&s->argument[k]);
}

static double get(const struct softmax *s, int k, const struct dnn_cursor *c)
{
    return dnn_get(s->argument[k].ptr, s->argument[k].tensor.type, c->at[k]);
}

static void put(const struct softmax *s, const struct dnn_cursor *c, double y)
{
    const struct dnn_argument *out = &s->argument[OUT];

    y *= s->alpha;
    if (s->beta != 0)
        y += s->beta * get(s, OUT, c);
    dnn_put(out->ptr, out->tensor.type, c->at[OUT], y);
}

/* Go over the elements that fall together at `at`. */
#define EACH(s, c, at)                                        \
    for (dnn_walk_start(c, &(s)->fold.gone, at, 0,            \
                        dnn_walk_count(&(s)->fold.gone));     \
         dnn_walk_more(c); dnn_walk_next(c))

static void forward(const struct softmax *s, const ptrdiff_t *at)
{
    struct dnn_cursor c;
    double most = -INFINITY, sum = 0;

    EACH(s, &c, at)
        most = fmax(most, get(s, IN, &c));
    if (s->algo == CUDNN_SOFTMAX_FAST)
        most = 0;
    EACH(s, &c, at)
        sum += exp(get(s, IN, &c) - most);
    EACH(s, &c, at) {
        const double x = get(s, IN, &c) - most;

        put(s, &c, s->algo == CUDNN_SOFTMAX_LOG ? x - log(sum) : exp(x) / sum);
    }
}

static void backward(const struct softmax *s, const ptrdiff_t *at)
{
    const bool logarithm = s->algo == CUDNN_SOFTMAX_LOG;
    struct dnn_cursor c;
    double sum = 0;

    EACH(s, &c, at)
        sum += get(s, DY, &c) * (logarithm ? 1 : get(s, IN, &c));
    EACH(s, &c, at) {
        const double y = get(s, IN, &c), dy = get(s, DY, &c);

        put(s, &c, logarithm ? dy - exp(y) * sum : y * (dy - sum));
    }
}

static void run(const void *self, unsigned part)
{
    const struct softmax *s = self;
    const size_t n = dnn_walk_count(&s->fold.kept);
    struct dnn_cursor c;

    dnn_walk_start(&c, &s->fold.kept, NULL, dnn_begin(n, part, s->call.parts),
                   dnn_begin(n, part + 1, s->call.parts));
    for (; dnn_walk_more(&c); dnn_walk_next(&c))
        if (s->arguments == 2)
            forward(s, c.at);
        else
            backward(s, c.at);
}

static cudnnStatus_t submit(cudnnHandle_t handle, struct softmax *s,
                            cudnnSoftmaxMode_t mode)
{
    const struct cudnnTensorStruct *x = &s->argument[OUT].tensor;
    const struct cudnnTensorStruct *tensors[3];
    int keep[CUDNN_DIM_MAX];

    for (int k = 0; k < s->arguments; k++)
        tensors[k] = &s->argument[k].tensor;
    for (int d = 0; d < x->dims; d++)
        keep[d] = d == 0 || (mode == CUDNN_SOFTMAX_MODE_CHANNEL && d > 1)
                      ? x->size[d] : 1;
    s->fold = dnn_fold(x, keep, tensors, s->arguments);
    s->call.parts = dnn_parts(dnn_walk_count(&s->fold.kept),
                              8.0 * (double)dnn_walk_count(&s->fold.gone));
    s->call.operations = 5.0 * (double)dnn_count(x);
    s->call.bytes = s->arguments * (double)dnn_count(x)
                    * (double)dnn_bytes(x->type);
    return dnn_submit(handle, s, sizeof *s);
}

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
    struct softmax s = {.call = DNN_CALL(run, name_arrays), .algo = algo,
                        .arguments = 2};

    DNN_LEGAL(handle && is_softmax(algo, mode) && alpha && beta && x && y);
    DNN_LEGAL(dnn_is_set(x_desc) && dnn_is_set(y_desc));
    DNN_LEGAL(dnn_same_size(x_desc, y_desc) && x_desc->type == y_desc->type);
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
    struct softmax s = {.call = DNN_CALL(run, name_arrays), .algo = algo,
                        .arguments = 3};

    DNN_LEGAL(handle && is_softmax(algo, mode) && alpha && beta);
    DNN_LEGAL(y && dy && dx && dnn_is_set(y_desc) && dnn_is_set(dy_desc)
              && dnn_is_set(dx_desc));
    DNN_LEGAL(dnn_same_size(y_desc, dy_desc) && dnn_same_size(y_desc, dx_desc));
    DNN_LEGAL(y_desc->type == dy_desc->type && y_desc->type == dx_desc->type);
    s.alpha = dnn_scalar(alpha, y_desc->type);
    s.beta = dnn_scalar(beta, y_desc->type);
    s.argument[OUT] = dnn_out("dx", dx_desc, dx, s.beta);
    s.argument[IN] = dnn_in("y", y_desc, y);
    s.argument[DY] = dnn_in("dy", dy_desc, dy);
    return submit(handle, &s, mode);
}

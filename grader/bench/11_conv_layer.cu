/* SPDX-License-Identifier: MIT */
/* Lab 11 on a card, compared with cuDNN: the fastest algorithm that its
 * exhaustive search finds in FMA math, forward, backward data and backward
 * filter. */
#include <cudnn.h>

#include "bench.h"
#include "conv_layer.h"

enum { FORWARD, DATA, FILTER, WORK = 1 << 30 /* bytes cuDNN may use */ };
/* m: images; k: index of `layers`; kind: direction. */
#define WAYS(name, images, layer)                      \
    {name ", forward", images, 0, layer, FORWARD},     \
    {name ", data", images, 0, layer, DATA},           \
    {name ", filter", images, 0, layer, FILTER}
static const struct bench_case cases[] = {
    WAYS("128 x 64 x 56^2, 64 of 3^2", 128, 0),
    WAYS("128 x 128 x 28^2, 128 of 3^2", 128, 1),
    WAYS("128 x 256 x 28^2, 128 of 1^2", 128, 2),
    WAYS("64 x 3 x 224^2, 64 of 7^2 by 2", 64, 3),
    WAYS("1024 x 32 x 14^2, 64 of 3^2", 1024, 4), {}};
static const struct conv_shape layers[] = {{0, 64, 56, 56, 64, 3, 3, 1, 1},
                                           {0, 128, 28, 28, 128, 3, 3, 1, 1},
                                           {0, 256, 28, 28, 128, 1, 1, 1, 0},
                                           {0, 3, 224, 224, 64, 7, 7, 2, 3},
                                           {0, 32, 14, 14, 64, 3, 3, 1, 1}};

static struct conv_shape shape_of(const struct bench_case *c)
{
    struct conv_shape s = layers[c->k];

    s.n = (int)c->m;
    return s;
}

/* Bytes of x, w and y. */
static void arrays_of(const struct bench_case *c, size_t bytes[3])
{
    const struct conv_shape s = shape_of(c);

    bytes[0] = (size_t)s.n * s.c * s.h * s.w * sizeof(float);
    bytes[1] = (size_t)s.k * s.c * s.r * s.s * sizeof(float);
    bytes[2] = (size_t)s.n * s.k * conv_output_rows(&s)
               * conv_output_columns(&s) * sizeof(float);
}

static void size(const struct bench_case *c, struct bench_size *to)
{
    const struct conv_shape s = shape_of(c);
    const size_t own = conv_workspace(&s);
    size_t bytes[3];

    arrays_of(c, bytes);
    to->in[0] = bytes[c->kind == DATA ? 1 : 0];
    to->in[1] = bytes[c->kind == FORWARD ? 1 : 2];
    to->out = bytes[c->kind == FORWARD ? 2 : c->kind == DATA ? 0 : 1];
    to->workspace = own > WORK ? own : WORK;
    to->units = to->peer[0] =
        2.0 * (double)(bytes[2] / sizeof(float)) * s.c * s.r * s.s;
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    const struct conv_shape s = shape_of(c);
    const float *d_0 = (const float *)a->in[0], *d_1 = (const float *)a->in[1];
    float *d_out = (float *)a->out;

    return c->kind == FORWARD ? conv_forward(&s, d_0, d_1, d_out, a->workspace)
           : c->kind == DATA
               ? conv_backward_data(&s, d_0, d_1, d_out, a->workspace)
               : conv_backward_filter(&s, d_0, d_1, d_out, a->workspace);
}

/* Descriptors of cuDNN, and the algorithms found for this case. */
static struct plan {
    const char *name;
    cudnnHandle_t dnn;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t conv;
    cudnnConvolutionFwdAlgo_t forward;
    cudnnConvolutionBwdDataAlgo_t data;
    cudnnConvolutionBwdFilterAlgo_t filter;
} plan;

static int make(void)
{
    return !plan.dnn
           && (cudnnCreate(&plan.dnn) || cudnnCreateTensorDescriptor(&plan.x)
               || cudnnCreateTensorDescriptor(&plan.y)
               || cudnnCreateFilterDescriptor(&plan.w)
               || cudnnCreateConvolutionDescriptor(&plan.conv));
}

static int describe(const struct conv_shape *s)
{
    return cudnnSetTensor4dDescriptor(plan.x, CUDNN_TENSOR_NCHW,
                                      CUDNN_DATA_FLOAT, s->n, s->c, s->h, s->w)
           || cudnnSetTensor4dDescriptor(
               plan.y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s->n, s->k,
               conv_output_rows(s), conv_output_columns(s))
           || cudnnSetFilter4dDescriptor(plan.w, CUDNN_DATA_FLOAT,
                                         CUDNN_TENSOR_NCHW, s->k, s->c, s->r,
                                         s->s)
           || cudnnSetConvolution2dDescriptor(
               plan.conv, s->pad, s->pad, s->stride, s->stride, 1, 1,
               CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT)
           || cudnnSetConvolutionMathType(plan.conv, CUDNN_FMA_MATH);
}

/* The fastest usable algorithm: the list is sorted. */
template <class T, class Algo>
static int take(const T *ways, int count, Algo *to)
{
    for (int i = 0; i < count; i++)
        if (ways[i].status == CUDNN_STATUS_SUCCESS
            && ways[i].mathType != CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION
            && ways[i].mathType != CUDNN_TENSOR_OP_MATH
            && ways[i].memory <= WORK) {
            *to = ways[i].algo;
            return 0;
        }
    return 1;
}

/* The exhaustive search, once for each case. */
static int search(int kind)
{
    enum { MOST = 16 };
    cudnnConvolutionFwdAlgoPerf_t forward[MOST];
    cudnnConvolutionBwdDataAlgoPerf_t data[MOST];
    cudnnConvolutionBwdFilterAlgoPerf_t filter[MOST];
    int n = 0;

    if (kind == FORWARD)
        return cudnnFindConvolutionForwardAlgorithm(
                   plan.dnn, plan.x, plan.w, plan.conv, plan.y, MOST, &n,
                   forward)
               || take(forward, n, &plan.forward);
    if (kind == DATA)
        return cudnnFindConvolutionBackwardDataAlgorithm(
                   plan.dnn, plan.w, plan.y, plan.conv, plan.x, MOST, &n, data)
               || take(data, n, &plan.data);
    return cudnnFindConvolutionBackwardFilterAlgorithm(
               plan.dnn, plan.x, plan.y, plan.conv, plan.w, MOST, &n, filter)
           || take(filter, n, &plan.filter);
}

static int peer(const struct bench_case *c, const struct bench_arrays *a)
{
    const struct conv_shape s = shape_of(c);
    const float one = 1, zero = 0;

    if (plan.name != c->name) { /* the first call of a case is not timed */
        if (make() || describe(&s) || search(c->kind)) return 1;
        plan.name = c->name;
    }
    if (c->kind == FORWARD)
        return cudnnConvolutionForward(plan.dnn, &one, plan.x, a->in[0],
                                       plan.w, a->in[1], plan.conv,
                                       plan.forward, a->workspace, WORK, &zero,
                                       plan.y, a->out);
    if (c->kind == DATA)
        return cudnnConvolutionBackwardData(
            plan.dnn, &one, plan.w, a->in[0], plan.y, a->in[1], plan.conv,
            plan.data, a->workspace, WORK, &zero, plan.x, a->out);
    return cudnnConvolutionBackwardFilter(
        plan.dnn, &one, plan.x, a->in[0], plan.y, a->in[1], plan.conv,
        plan.filter, a->workspace, WORK, &zero, plan.w, a->out);
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    struct bench_size s = {};

    size(c, &s);
    return bench_max_error(got->out, answer->out, s.out / sizeof(float));
}

const struct bench_lab bench_lab = {
    cases, "TFLOP/s", 2e-4, size, fill, step,
    {{"cuDNN, best found, FMA math", peer}}, difference};

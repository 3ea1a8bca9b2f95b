/* SPDX-License-Identifier: MIT */
/* Lab 12 on a card, compared with cuDNN and a copy of as many bytes. */
#include <cudnn.h>

#include "bench.h"
#include "layers.h"

enum { BIAS_RELU, BIAS_RELU_BACK, MAXPOOL, SOFTMAX, NORM, NORM_BACK };
/* m images of n channels, k x k; m rows of n classes. */
static const struct bench_case cases[] = {
    {"bias + ReLU, 256 x 64 x 56^2", 256, 64, 56, BIAS_RELU},
    {"its way back", 256, 64, 56, BIAS_RELU_BACK},
    {"2x2 max-pool, 256 x 64 x 56^2", 256, 64, 56, MAXPOOL},
    {"softmax, 65536 x 1024", 65536, 1024, 1, SOFTMAX},
    {"batch-norm, 256 x 64 x 56^2", 256, 64, 56, NORM},
    {"its way back", 256, 64, 56, NORM_BACK}, {}};

static size_t elements(const struct bench_case *c)
{
    return c->m * c->n * c->k * c->k;
}

static bool is_back(const struct bench_case *c)
{
    return c->kind == BIAS_RELU_BACK || c->kind == NORM_BACK;
}

/* Floats of the main output. */
static size_t outputs(const struct bench_case *c)
{
    return elements(c) / (c->kind == MAXPOOL ? 4 : 1);
}

static void size(const struct bench_case *c, struct bench_size *s)
{
    const size_t n = elements(c), out = outputs(c);

    s->in[0] = n * sizeof(float);
    s->in[1] = is_back(c) ? s->in[0] : c->n * sizeof(float);
    /* then the gradients of two arrays of channels, or the argmax */
    s->out = out * sizeof(float) + 2 * c->n * sizeof(float) + out;
    s->units = (double)((is_back(c) ? 2 * n : n) + out) * sizeof(float)
               + (c->kind == MAXPOOL ? (double)out : 0);
    s->peer[0] = s->units;
    s->peer[1] = 2.0 * (double)out * sizeof(float); /* see copy() */
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

/* Parameters and statistics of batch-norm: six arrays of channels. */
static float *channels(size_t n)
{
    enum { ARRAYS = 6 };
    static float *d_arrays;
    static size_t made;

    if (made < n) {
        cudaFree(d_arrays);
        if (cudaMalloc(&d_arrays, ARRAYS * n * sizeof(float))) return NULL;
        bench_floats(d_arrays, ARRAYS * n * sizeof(float), 5, 0.5f, 1.5f);
        made = n;
    }
    return d_arrays;
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    const int n = (int)c->m, k = (int)c->n, side = (int)c->k;
    const struct layer_shape shape = {n, k, side, side};
    const struct pool_shape pool = {n, k, side, side, 2, 2, 0};
    const float *d_x = (const float *)a->in[0], *d_1 = (const float *)a->in[1];
    float *d_y = (float *)a->out, *d_more = d_y + outputs(c);
    float *d_c = channels(c->n);
    const struct batchnorm norm = {
        1e-5f, 0.1f, 0, d_c, d_c + k, d_c + 2 * k, d_c + 3 * k,
        c->kind == NORM ? d_more : d_c + 4 * k,
        c->kind == NORM ? d_more + k : d_c + 5 * k, d_more, d_more + k};

    switch (c->kind) {
    case BIAS_RELU: return bias_relu_forward(&shape, d_x, d_1, d_y);
    case BIAS_RELU_BACK:
        return bias_relu_backward(&shape, d_x, d_1, d_y, d_more);
    case MAXPOOL:
        return maxpool_forward(&pool, d_x, d_y, (unsigned char *)d_more);
    case SOFTMAX: return softmax_forward(&shape, d_x, d_y);
    case NORM: return batchnorm_forward(&shape, &norm, d_x, d_y);
    default: return batchnorm_backward(&shape, &norm, d_x, d_1, d_y);
    }
}

/* Descriptors of cuDNN. */
static struct plan {
    const char *name;
    cudnnHandle_t dnn;
    cudnnTensorDescriptor_t x, y, channel;
    cudnnActivationDescriptor_t relu;
    cudnnPoolingDescriptor_t pool;
    cudnnOpTensorDescriptor_t add;
    int kind;
} plan;

static int make(void)
{
    return !plan.dnn
           && (cudnnCreate(&plan.dnn) || cudnnCreateTensorDescriptor(&plan.x)
               || cudnnCreateTensorDescriptor(&plan.y)
               || cudnnCreateTensorDescriptor(&plan.channel)
               || cudnnCreateActivationDescriptor(&plan.relu)
               || cudnnCreatePoolingDescriptor(&plan.pool)
               || cudnnCreateOpTensorDescriptor(&plan.add)
               || cudnnSetActivationDescriptor(plan.relu,
                                               CUDNN_ACTIVATION_RELU,
                                               CUDNN_PROPAGATE_NAN, 0)
               || cudnnSetPooling2dDescriptor(plan.pool, CUDNN_POOLING_MAX,
                                              CUDNN_PROPAGATE_NAN, 2, 2, 0, 0,
                                              2, 2)
               || cudnnSetOpTensorDescriptor(plan.add, CUDNN_OP_TENSOR_ADD,
                                             CUDNN_DATA_FLOAT,
                                             CUDNN_PROPAGATE_NAN));
}

static cudnnStatus_t set(cudnnTensorDescriptor_t to, size_t n, size_t c,
                         size_t side)
{
    return cudnnSetTensor4dDescriptor(to, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                      (int)n, (int)c, (int)side, (int)side);
}

static int describe(const struct bench_case *c)
{
    const size_t side = c->kind == MAXPOOL ? c->k / 2 : c->k;

    return make() || set(plan.x, c->m, c->n, c->k)
           || set(plan.y, c->m, c->n, side) || set(plan.channel, 1, c->n, 1);
}

static int normalize(const struct bench_case *c, const struct bench_arrays *a)
{
    const float one = 1, zero = 0;
    const size_t k = c->n;
    float *d_more = (float *)a->out + outputs(c), *d_c = channels(k);

    if (c->kind == NORM)
        return cudnnBatchNormalizationForwardTraining(
            plan.dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, plan.x, a->in[0],
            plan.y, a->out, plan.channel, d_c, d_c + k, 0.1, d_c + 2 * k,
            d_c + 3 * k, 1e-5, d_more, d_more + k);
    return cudnnBatchNormalizationBackward(
        plan.dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &zero, plan.x,
        a->in[0], plan.y, a->in[1], plan.x, a->out, plan.channel, d_c, d_more,
        d_more + k, 1e-5, d_c + 4 * k, d_c + 5 * k);
}

static int peer(const struct bench_case *c, const struct bench_arrays *a)
{
    const float one = 1, zero = 0;
    void *more = (float *)a->out + outputs(c);

    if (plan.kind != c->kind || plan.name != c->name) {
        if (describe(c)) return 1;
        plan.kind = c->kind;
        plan.name = c->name;
    }
    switch (c->kind) {
    case BIAS_RELU:
        return cudnnOpTensor(plan.dnn, plan.add, &one, plan.x, a->in[0], &one,
                             plan.channel, a->in[1], &zero, plan.y, a->out)
               || cudnnActivationForward(plan.dnn, plan.relu, &one, plan.y,
                                         a->out, &zero, plan.y, a->out);
    case BIAS_RELU_BACK:
        return cudnnActivationBackward(plan.dnn, plan.relu, &one, plan.x,
                                       a->in[0], plan.x, a->in[1], plan.x,
                                       a->in[0], &zero, plan.x, a->out)
               || cudnnConvolutionBackwardBias(plan.dnn, &one, plan.x, a->out,
                                               &zero, plan.channel, more);
    case MAXPOOL:
        return cudnnPoolingForward(plan.dnn, plan.pool, &one, plan.x,
                                   a->in[0], &zero, plan.y, a->out);
    case SOFTMAX:
        return cudnnSoftmaxForward(plan.dnn, CUDNN_SOFTMAX_ACCURATE,
                                   CUDNN_SOFTMAX_MODE_CHANNEL, &one, plan.x,
                                   a->in[0], &zero, plan.y, a->out);
    default: return normalize(c, a);
    }
}

/* As many bytes as the output has, from the first input. */
static int copy(const struct bench_case *c, const struct bench_arrays *a)
{
    return cudaMemcpyAsync(a->out, a->in[0], outputs(c) * sizeof(float),
                           cudaMemcpyDeviceToDevice, 0);
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    const size_t n = outputs(c);
    double most = bench_max_error(got->out, answer->out, n), more = 0;

    if (is_back(c)) /* of the bias, or of gamma and beta */
        more = bench_max_error((float *)got->out + n, (float *)answer->out + n,
                               c->kind == NORM_BACK ? 2 * c->n : c->n);
    return most > more ? most : more;
}

const struct bench_lab bench_lab = {
    cases, "GB/s", 1e-4, size, fill, step,
    {{"cuDNN", peer}, {"cudaMemcpy", copy}}, difference};

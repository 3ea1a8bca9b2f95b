/* SPDX-License-Identifier: MIT */
/* Lab 12's layers against oneDNN's, forward and backward, on random shapes:
 * an independent word on what they are.  (Dropout has no counterpart there.)
 * Arrays are managed memory, which both sides read.  Built with a step of the
 * ladder, and run, by layers_dnnl.sh. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dnnl_run.h"
#include "layers.h"
#include "common/base/random.h"

enum { SHAPES = 12, ARRAYS = 64 };
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void *arrays[ARRAYS];
static int made, compared, wrong;

/* Managed memory for n floats, until the shape is done. */
static float *floats(size_t n)
{
    if (made == ARRAYS
        || cudaMallocManaged(&arrays[made], (n + 4) * sizeof(float),
                             cudaMemAttachGlobal)) {
        fprintf(stderr, "layers_dnnl: no memory\n");
        exit(2);
    }
    return arrays[made++];
}

static float *numbers(size_t n, double lo, double hi)
{
    float *x = floats(n);

    random_floats(x, n, lo, hi);
    return x;
}

static void free_all(void)
{
    while (made > 0)
        cudaFree(arrays[--made]);
}

/* The lab's call has worked, and ended. */
static void done(int status)
{
    if (!status)
        status = (int)cudaDeviceSynchronize();
    if (status) {
        printf("not ok: a layer returns %d\n", status);
        exit(1);
    }
}

/* Sums of float, in two orders, differ by some roundings of the largest. */
static void compare(const char *name, const float *got, const float *want,
                    size_t n)
{
    double most = 1, off = 0;

    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(want[i]));
        off = fmax(off, fabs((double)got[i] - want[i]));
        if (isnan(got[i]))
            off = INFINITY;
    }
    compared++;
    if (off <= 2e-5 * most)
        return;
    wrong++;
    printf("not ok: %s is off by %g, the largest being %g\n", name, off, most);
}

static size_t count(const struct layer_shape *s)
{
    return (size_t)s->n * (size_t)s->c * (size_t)s->h * (size_t)s->w;
}

static dnnl_memory_desc_t layout(const struct layer_shape *s)
{
    return run_layout(s->n, s->c, s->h, s->w);
}

/* y = x + bias. */
static void add_bias(const struct layer_shape *s, float *x, float *bias,
                     float *y)
{
    const dnnl_memory_desc_t all = layout(s), one = run_layout(1, s->c, 1, 1);
    const struct part parts[] = {{DNNL_ARG_SRC_0, &all, x},
                                 {DNNL_ARG_SRC_1, &one, bias},
                                 {DNNL_ARG_DST, &all, y}};
    dnnl_binary_desc_t desc;

    run_need(dnnl_binary_desc_init(&desc, dnnl_binary_add, &all, &one, &all),
             "add");
    run_once(&desc, parts, COUNT(parts));
}

/* The sum of each channel. */
static void sum_channels(const struct layer_shape *s, float *y_grad,
                         float *sums)
{
    const dnnl_memory_desc_t all = layout(s), one = run_layout(1, s->c, 1, 1);
    const struct part parts[] = {{DNNL_ARG_SRC, &all, y_grad},
                                 {DNNL_ARG_DST, &one, sums}};
    dnnl_reduction_desc_t desc;

    run_need(dnnl_reduction_desc_init(&desc, dnnl_reduction_sum, &all, &one,
                                      0, 0), "sum");
    run_once(&desc, parts, COUNT(parts));
}

/* y = ReLU(x), and with y_grad what passes back. */
static void relu(const struct layer_shape *s, float *x, float *y,
                 float *y_grad, float *x_grad)
{
    const dnnl_memory_desc_t all = layout(s);
    const struct part forth[] = {{DNNL_ARG_SRC, &all, x},
                                 {DNNL_ARG_DST, &all, y}};
    const struct part back[] = {{DNNL_ARG_SRC, &all, x},
                                {DNNL_ARG_DIFF_DST, &all, y_grad},
                                {DNNL_ARG_DIFF_SRC, &all, x_grad}};
    dnnl_eltwise_desc_t desc;
    dnnl_primitive_desc_t forward, backward;

    run_need(dnnl_eltwise_forward_desc_init(&desc, dnnl_forward_training,
                                            dnnl_eltwise_relu, &all, 0, 0),
             "ReLU");
    forward = run_plan(&desc, NULL);
    run_parts(forward, forth, COUNT(forth), NULL);
    run_need(dnnl_eltwise_backward_desc_init(&desc, dnnl_eltwise_relu, &all,
                                             &all, 0, 0), "ReLU back");
    backward = run_plan(&desc, forward);
    run_parts(backward, back, COUNT(back), NULL);
    dnnl_primitive_desc_destroy(backward);
    dnnl_primitive_desc_destroy(forward);
}

/* Bias and ReLU, each alone and both at once. */
static void try_bias(const struct layer_shape *s)
{
    const size_t n = count(s), c = (size_t)s->c;
    float *x = numbers(n, -2, 2), *bias = numbers(c, -1, 1), *y = floats(n);
    float *y_grad = numbers(n, -1, 2), *x_grad = floats(n), *sums = floats(c);
    float *z = floats(n), *z_grad = floats(n), *got = floats(n);
    float *got_sums = floats(c);

    add_bias(s, x, bias, y);
    done(bias_forward(s, x, bias, got));
    compare("bias_forward", got, y, n);
    sum_channels(s, y_grad, sums);
    done(bias_backward(s, y_grad, got_sums));
    compare("bias_backward", got_sums, sums, c);
    relu(s, y, z, y_grad, z_grad);
    done(relu_forward(y, got, (int)n));
    compare("relu_forward", got, z, n);
    done(relu_backward(z, y_grad, x_grad, (int)n));
    compare("relu_backward", x_grad, z_grad, n);
    done(bias_relu_forward(s, x, bias, got));
    compare("bias_relu_forward", got, z, n);
    sum_channels(s, z_grad, sums);
    done(bias_relu_backward(s, got, y_grad, x_grad, got_sums));
    compare("bias_relu_backward's x_grad", x_grad, z_grad, n);
    compare("bias_relu_backward's bias_grad", got_sums, sums, c);
}

/* Max-pooling of both sides: y from x, x_grad from y_grad. */
static void pool(const struct pool_shape *s, const struct layer_shape *out,
                 float *const arrays_of[4])
{
    const dnnl_memory_desc_t x = run_layout(s->n, s->c, s->h, s->w);
    const dnnl_memory_desc_t y = layout(out);
    const dnnl_dims_t stride = {s->stride, s->stride};
    const dnnl_dims_t size = {s->size, s->size}, pad = {s->pad, s->pad};
    const struct part forth[] = {{DNNL_ARG_SRC, &x, arrays_of[0]},
                                 {DNNL_ARG_DST, &y, arrays_of[1]}};
    const struct part back[] = {{DNNL_ARG_DIFF_DST, &y, arrays_of[2]},
                                {DNNL_ARG_DIFF_SRC, &x, arrays_of[3]}};
    dnnl_pooling_desc_t desc;
    dnnl_primitive_desc_t forward, backward;
    void *kept;

    run_need(dnnl_pooling_forward_desc_init(&desc, dnnl_forward_training,
                                            dnnl_pooling_max, &x, &y, stride,
                                            size, pad, pad), "pooling");
    forward = run_plan(&desc, NULL);
    kept = malloc(run_kept(forward) + 1);
    run_parts(forward, forth, COUNT(forth), kept);
    run_need(dnnl_pooling_backward_desc_init(&desc, dnnl_pooling_max, &x, &y,
                                             stride, size, pad, pad),
             "pooling back");
    backward = run_plan(&desc, forward);
    run_parts(backward, back, COUNT(back), kept);
    free(kept);
    dnnl_primitive_desc_destroy(backward);
    dnnl_primitive_desc_destroy(forward);
}

static void try_pool(const struct pool_shape *s)
{
    const struct layer_shape in = {s->n, s->c, s->h, s->w};
    const struct layer_shape out = {
        s->n, s->c, POOL_OUTPUT_SIZE(s->h, s->size, s->stride, s->pad),
        POOL_OUTPUT_SIZE(s->w, s->size, s->stride, s->pad)};
    const size_t n = count(&in), m = count(&out);
    float *x = numbers(n, -5, 5), *y = floats(m), *x_grad = floats(n);
    float *y_grad = numbers(m, -1, 1), *got = floats(m), *got_grad = floats(n);
    unsigned char *winner = (unsigned char *)floats(m / 4 + 1);

    pool(s, &out, (float *const[]){x, y, y_grad, x_grad});
    done(maxpool_forward(s, x, got, winner));
    compare("maxpool_forward", got, y, m);
    done(maxpool_backward(s, winner, y_grad, got_grad));
    compare("maxpool_backward", got_grad, x_grad, n);
}

/* Log-softmax, and back: x_grad for the gradient of it. */
static void log_softmax(const struct layer_shape *s, float *x, float *y,
                        float *y_grad, float *x_grad)
{
    const dnnl_memory_desc_t all = layout(s);
    const struct part forth[] = {{DNNL_ARG_SRC, &all, x},
                                 {DNNL_ARG_DST, &all, y}};
    const struct part back[] = {{DNNL_ARG_DST, &all, y},
                                {DNNL_ARG_DIFF_DST, &all, y_grad},
                                {DNNL_ARG_DIFF_SRC, &all, x_grad}};
    dnnl_logsoftmax_desc_t desc;
    dnnl_primitive_desc_t forward, backward;

    run_need(dnnl_logsoftmax_forward_desc_init(&desc, dnnl_forward_training,
                                               &all, 1), "log-softmax");
    forward = run_plan(&desc, NULL);
    run_parts(forward, forth, COUNT(forth), NULL);
    run_need(dnnl_logsoftmax_backward_desc_init(&desc, &all, &all, 1),
             "log-softmax back");
    backward = run_plan(&desc, forward);
    run_parts(backward, back, COUNT(back), NULL);
    dnnl_primitive_desc_destroy(backward);
    dnnl_primitive_desc_destroy(forward);
}

/* Softmax; and the mean of -log of it at the labels, with its gradient. */
static void try_softmax(int rows, int classes)
{
    const struct layer_shape s = {rows, classes, 1, 1};
    const size_t n = count(&s), m = (size_t)rows;
    float *x = numbers(n, -9, 9), *y = floats(n), *y_grad = floats(n);
    float *x_grad = floats(n), *want = floats(m + 1), *got = floats(m + 1);
    float *got_grad = floats(n);
    unsigned char *labels = (unsigned char *)floats(m / 4 + 1);
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        y_grad[i] = 0;
    for (size_t i = 0; i < m; i++) {
        labels[i] = (unsigned char)random_int(0, classes - 1);
        y_grad[i * (size_t)classes + labels[i]] = -1.0f / (float)rows;
    }
    log_softmax(&s, x, y, y_grad, x_grad);
    for (size_t i = 0; i < m; i++)
        sum += want[i] = -y[i * (size_t)classes + labels[i]];
    want[m] = (float)(sum / rows);
    done(softmax_cross_entropy(&s, x, labels, got, got_grad));
    compare("softmax_cross_entropy", got, want, m + 1);
    for (size_t i = 0; i < n; i++) { /* both near 1, not near 1 / rows */
        x_grad[i] *= (float)rows;
        got_grad[i] *= (float)rows;
        y[i] = expf(y[i]);
    }
    compare("softmax_cross_entropy's x_grad", got_grad, x_grad, n);
    done(softmax_forward(&s, x, got_grad));
    compare("softmax_forward", got_grad, y, n);
}

/* Batch-norm's arrays, as both sides see them. */
struct normed {
    struct layer_shape shape;
    float epsilon;
    float *x, *y, *y_grad, *x_grad;
    float *gamma_beta, *grads; /* gamma, then beta */
    float *mean, *var;
};

static void norm_forward(const struct normed *t, dnnl_prop_kind_t kind,
                         unsigned flags)
{
    const struct layer_shape *s = &t->shape;
    const dnnl_memory_desc_t all = layout(s);
    dnnl_batch_normalization_desc_t desc;

    run_need(dnnl_batch_normalization_forward_desc_init(
                 &desc, kind, &all, t->epsilon,
                 flags | dnnl_use_scaleshift), "batch-norm");

    const struct part parts[] = {
        {DNNL_ARG_SRC, &all, t->x}, {DNNL_ARG_DST, &all, t->y},
        {DNNL_ARG_SCALE_SHIFT, &desc.data_scaleshift_desc, t->gamma_beta},
        {DNNL_ARG_MEAN, &desc.stat_desc, t->mean},
        {DNNL_ARG_VARIANCE, &desc.stat_desc, t->var}};

    run_once(&desc, parts, COUNT(parts));
}

static void norm_backward(const struct normed *t)
{
    const struct layer_shape *s = &t->shape;
    const dnnl_memory_desc_t all = layout(s);
    dnnl_batch_normalization_desc_t desc;
    dnnl_primitive_desc_t forward, plan;

    run_need(dnnl_batch_normalization_forward_desc_init(
                 &desc, dnnl_forward_training, &all, t->epsilon,
                 dnnl_use_scaleshift), "batch-norm");
    forward = run_plan(&desc, NULL);
    run_need(dnnl_batch_normalization_backward_desc_init(
                 &desc, dnnl_backward, &all, &all, t->epsilon,
                 dnnl_use_scaleshift), "batch-norm back");
    plan = run_plan(&desc, forward);

    const struct part parts[] = {
        {DNNL_ARG_SRC, &all, t->x}, {DNNL_ARG_DIFF_DST, &all, t->y_grad},
        {DNNL_ARG_DIFF_SRC, &all, t->x_grad},
        {DNNL_ARG_SCALE_SHIFT, &desc.data_scaleshift_desc, t->gamma_beta},
        {DNNL_ARG_DIFF_SCALE_SHIFT, &desc.data_scaleshift_desc, t->grads},
        {DNNL_ARG_MEAN, &desc.stat_desc, t->mean},
        {DNNL_ARG_VARIANCE, &desc.stat_desc, t->var}};

    run_parts(plan, parts, COUNT(parts), NULL);
    dnnl_primitive_desc_destroy(plan);
    dnnl_primitive_desc_destroy(forward);
}

/* Training, with a ReLU behind or without; backward; then inference. */
static void try_norm(const struct layer_shape *s, int rectified)
{
    const size_t n = count(s), c = (size_t)s->c;
    float *kept = numbers(4 * c, 0.5, 1.5), *z = floats(n), *z_grad = floats(n);
    float *got = floats(n), *got_grads = floats(2 * c);
    struct normed t = {*s, 1e-3f, numbers(n, -2, 3), floats(n),
                       numbers(n, -1, 2), floats(n), numbers(2 * c, -1, 2),
                       floats(2 * c), floats(c), floats(c)};
    const struct batchnorm norm = {
        t.epsilon, 0.1f, rectified, t.gamma_beta, t.gamma_beta + c, kept,
        kept + c, kept + 2 * c, kept + 3 * c, got_grads, got_grads + c};

    norm_forward(&t, dnnl_forward_training, 0);
    relu(s, t.y, z, t.y_grad, z_grad);
    done(batchnorm_forward(s, &norm, t.x, got));
    compare("batchnorm_forward", got, rectified ? z : t.y, n);
    compare("batchnorm_forward's mean", norm.d_mean, t.mean, c);
    done(batchnorm_backward(s, &norm, t.x, t.y_grad, got));
    if (rectified)
        t.y_grad = z_grad;
    norm_backward(&t);
    compare("batchnorm_backward", got, t.x_grad, n);
    compare("batchnorm_backward's parameters", got_grads, t.grads, 2 * c);
    t.mean = norm.d_running_mean;
    t.var = norm.d_running_var;
    norm_forward(&t, dnnl_forward_inference, dnnl_use_global_stats);
    relu(s, t.y, z, t.y_grad, z_grad);
    done(batchnorm_inference(s, &norm, t.x, got));
    compare("batchnorm_inference", got, rectified ? z : t.y, n);
}

static int pick(int lo, int hi)
{
    return (int)random_int(lo, hi);
}

int main(void)
{
    random_seed(1, "layers_dnnl");
    run_open();
    for (int i = 0; i < SHAPES; i++) {
        const int side = i % 3 ? 9 : 1;
        const struct layer_shape s = {pick(2, 6), pick(1, 40), pick(1, side),
                                      pick(1, side)};
        const int size = pick(1, 4);

        try_bias(&s);
        free_all();
        try_norm(&s, i % 2);
        free_all();
        try_pool(&(struct pool_shape){pick(1, 3), pick(1, 4), pick(size, 12),
                                      pick(size, 12), size, pick(1, 4),
                                      pick(0, size / 2)});
        free_all();
        try_softmax(pick(1, 40), pick(1, i % 4 ? 40 : 700));
        free_all();
    }
    run_close();
    printf("%d comparisons with oneDNN, %d differ\n", compared, wrong);
    return wrong > 0 || compared == 0;
}

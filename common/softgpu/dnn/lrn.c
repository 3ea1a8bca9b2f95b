/* SPDX-License-Identifier: MIT */
/* Local response normalisation over neighbouring channels:
 * y = x / s^beta, s = k + alpha / n (sum of squares of n channels round x). */
#include <math.h>
#include <stdlib.h>

#include "fold.h"

struct cudnnLRNStruct {
    int n;
    double alpha, beta, k;
};

/** A call; forward reads x, backward x and dy. */
struct lrn {
    struct softgpu_library_call call;
    struct cudnnLRNStruct desc;
    double alpha, beta;
    int arguments;
    struct dnn_argument out, x, dy, y;
    struct dnn_fold fold; /* kept: images and places */
};

/* Of the walks and, behind them, of one column of channels. */
enum { OUT, X, DY };

static void name_arrays(const void *self)
{
    const struct lrn *l = self;

    dnn_array(&l->x);
    if (l->arguments > 2) {
        dnn_array(&l->dy);
        dnn_array(&l->y);
    }
    dnn_array(&l->out);
}

/* Element c of a column that begins at `at`. */
static double get(const struct dnn_argument *a, ptrdiff_t at, int c)
{
    return dnn_get(a->ptr, a->tensor.type, at + c * dnn_stride(&a->tensor, 1));
}

static void put(const struct lrn *l, ptrdiff_t at, int c, double v)
{
    const struct cudnnTensorStruct *t = &l->out.tensor;

    v *= l->alpha;
    if (l->beta != 0)
        v += l->beta * get(&l->out, at, c);
    dnn_put(l->out.ptr, t->type, at + c * dnn_stride(t, 1), v);
}

/** The channels round one; `back`: those that have it among theirs. */
struct range {
    int from, to;
};

static struct range round_channel(const struct lrn *l, int c, bool back)
{
    const int before = back ? l->desc.n / 2 : (l->desc.n - 1) / 2;
    const int channels = l->x.tensor.size[1];
    const int from = c - before, to = from + l->desc.n;

    return (struct range){from > 0 ? from : 0, to < channels ? to : channels};
}

static double divisor(const struct lrn *l, ptrdiff_t at, int c)
{
    const struct range r = round_channel(l, c, false);
    double squares = 0;

    for (int i = r.from; i < r.to; i++)
        squares += get(&l->x, at, i) * get(&l->x, at, i);
    return l->desc.k + l->desc.alpha / l->desc.n * squares;
}

static void forward(const struct lrn *l, const ptrdiff_t *at)
{
    for (int c = 0; c < l->x.tensor.size[1]; c++)
        put(l, at[OUT], c, get(&l->x, at[X], c)
                               * pow(divisor(l, at[X], c), -l->desc.beta));
}

static void backward(const struct lrn *l, const ptrdiff_t *at)
{
    const double factor = 2 * l->desc.alpha * l->desc.beta / l->desc.n;

    for (int c = 0; c < l->x.tensor.size[1]; c++) {
        const struct range r = round_channel(l, c, true);
        double sum = 0;

        for (int i = r.from; i < r.to; i++)
            sum += get(&l->dy, at[DY], i) * get(&l->x, at[X], i)
                   * pow(divisor(l, at[X], i), -l->desc.beta - 1);
        put(l, at[OUT], c,
            get(&l->dy, at[DY], c) * pow(divisor(l, at[X], c), -l->desc.beta)
                - factor * get(&l->x, at[X], c) * sum);
    }
}

static void run(const void *self, unsigned part)
{
    const struct lrn *l = self;
    const size_t n = dnn_walk_count(&l->fold.kept);
    struct dnn_cursor c;

    dnn_walk_start(&c, &l->fold.kept, NULL, dnn_begin(n, part, l->call.parts),
                   dnn_begin(n, part + 1, l->call.parts));
    for (; dnn_walk_more(&c); dnn_walk_next(&c))
        if (l->arguments == 2)
            forward(l, c.at);
        else
            backward(l, c.at);
}

static cudnnStatus_t submit(cudnnHandle_t handle, struct lrn *l)
{
    const struct cudnnTensorStruct *tensors[] = {&l->out.tensor, &l->x.tensor,
                                                 &l->dy.tensor};
    const double n = (double)dnn_count(&l->x.tensor);
    int keep[CUDNN_DIM_MAX];

    dnn_tell(keep, l->x.tensor.size, l->x.tensor.dims);
    keep[1] = 1;
    l->fold = dnn_fold(&l->x.tensor, keep, tensors, 3);
    l->call.parts = dnn_parts(dnn_walk_count(&l->fold.kept),
                              20.0 * l->x.tensor.size[1]);
    l->call.operations = 2 * n * l->desc.n;
    l->call.bytes = l->arguments * n * (double)dnn_bytes(l->x.tensor.type);
    return dnn_submit(handle, l, sizeof *l);
}

static bool alike(const struct cudnnTensorStruct *a,
                  const struct cudnnTensorStruct *b)
{
    return dnn_is_set(a) && dnn_is_set(b) && dnn_same_size(a, b)
           && a->type == b->type;
}

cudnnStatus_t cudnnLRNCrossChannelForward(
    cudnnHandle_t handle, cudnnLRNDescriptor_t desc, cudnnLRNMode_t mode,
    const void *alpha, const cudnnTensorDescriptor_t x_desc, const void *x,
    const void *beta, const cudnnTensorDescriptor_t y_desc, void *y)
{
    struct lrn l = {.call = DNN_CALL(run, name_arrays), .arguments = 2};

    DNN_LEGAL(handle && desc && mode == CUDNN_LRN_CROSS_CHANNEL_DIM1);
    DNN_LEGAL(alpha && beta && x && y && alike(x_desc, y_desc));
    l.desc = *desc;
    l.alpha = dnn_scalar(alpha, x_desc->type);
    l.beta = dnn_scalar(beta, x_desc->type);
    l.x = dnn_in("x", x_desc, x);
    l.out = dnn_out("y", y_desc, y, l.beta);
    return submit(handle, &l);
}

cudnnStatus_t cudnnLRNCrossChannelBackward(
    cudnnHandle_t handle, cudnnLRNDescriptor_t desc, cudnnLRNMode_t mode,
    const void *alpha, const cudnnTensorDescriptor_t y_desc, const void *y,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnTensorDescriptor_t x_desc, const void *x, const void *beta,
    const cudnnTensorDescriptor_t dx_desc, void *dx)
{
    struct lrn l = {.call = DNN_CALL(run, name_arrays), .arguments = 4};

    DNN_LEGAL(handle && desc && mode == CUDNN_LRN_CROSS_CHANNEL_DIM1);
    DNN_LEGAL(alpha && beta && y && dy && x && dx);
    DNN_LEGAL(alike(x_desc, y_desc) && alike(x_desc, dy_desc)
              && alike(x_desc, dx_desc));
    l.desc = *desc;
    l.alpha = dnn_scalar(alpha, x_desc->type);
    l.beta = dnn_scalar(beta, x_desc->type);
    l.x = dnn_in("x", x_desc, x);
    l.y = dnn_in("y", y_desc, y);
    l.dy = dnn_in("dy", dy_desc, dy);
    l.out = dnn_out("dx", dx_desc, dx, l.beta);
    return submit(handle, &l);
}

cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *desc)
{
    DNN_LEGAL(desc);
    *desc = malloc(sizeof **desc);
    DNN_NEED(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    **desc = (struct cudnnLRNStruct){5, 1e-4, 0.75, 2};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t desc, unsigned n,
                                    double alpha, double beta, double k)
{
    DNN_LEGAL(desc && n >= CUDNN_LRN_MIN_N && n <= CUDNN_LRN_MAX_N
              && k >= CUDNN_LRN_MIN_K && beta >= CUDNN_LRN_MIN_BETA);
    *desc = (struct cudnnLRNStruct){(int)n, alpha, beta, k};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t desc, unsigned *n,
                                    double *alpha, double *beta, double *k)
{
    DNN_LEGAL(desc);
    if (n)
        *n = (unsigned)desc->n;
    if (alpha)
        *alpha = desc->alpha;
    if (beta)
        *beta = desc->beta;
    if (k)
        *k = desc->k;
    return CUDNN_STATUS_SUCCESS;
}

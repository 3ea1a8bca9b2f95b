/* SPDX-License-Identifier: MIT */
/* Local response normalization across channels: y = x / s^beta, s = k + alpha
 * / n * (sum of squares of n channels around x). */
#include <math.h>
#include <stdlib.h>

#include "loop_nest.h"

struct cudnnLRNStruct {
    int n;
    double alpha, beta, k;
};

/** Arguments of a call; forward reads x, backward x and dy. */
struct lrn {
    struct softgpu_library_call call;
    struct cudnnLRNStruct desc;
    double alpha, beta;
    int arguments;
    struct dnn_argument out, x, dy, y;
    struct dnn_loop_nest nest; /* outer: images and positions */
};

/* Operands of the iterators. */
enum { OUT, X, DY };

/* For the checks: the backward pass reads two arrays more. */
static void declare_arrays(const void *self)
{
    const struct lrn *l = self;

    dnn_array(&l->x);
    if (l->arguments > 2) {
        dnn_array(&l->dy);
        dnn_array(&l->y);
    }
    dnn_array(&l->out);
}

/* Load channel c of the position `at`. */
static double load_channel(const struct dnn_argument *a, ptrdiff_t at, int c)
{
    return dnn_load_element(a->ptr, a->tensor.type,
                            at + c * dnn_stride(&a->tensor, 1));
}

/* out = alpha * v + beta * out */
static void store_channel(const struct lrn *l, ptrdiff_t at, int c, double v)
{
    const struct cudnnTensorStruct *t = &l->out.tensor;

    v *= l->alpha;
    if (l->beta != 0)
        v += l->beta * load_channel(&l->out, at, c);
    dnn_store_element(l->out.ptr, t->type, at + c * dnn_stride(t, 1), v);
}

/** The channels in the window of one; `back`: the windows that contain it. */
struct range {
    int from, to;
};

/* An even window has one channel more on one side, which the backward pass
 * mirrors. */
static struct range channel_window(const struct lrn *l, int c, bool back)
{
    const int radius = back ? l->desc.n / 2 : (l->desc.n - 1) / 2;
    const int channels = l->x.tensor.size[1];
    const int from = c - radius, to = from + l->desc.n;

    return (struct range){from > 0 ? from : 0, to < channels ? to : channels};
}

/* k + alpha / n * the sum of squares in the window. */
static double divisor(const struct lrn *l, ptrdiff_t at, int c)
{
    const struct range r = channel_window(l, c, false);
    double squares = 0;

    for (int i = r.from; i < r.to; i++)
        squares += load_channel(&l->x, at, i) * load_channel(&l->x, at, i);
    return l->desc.k + l->desc.alpha / l->desc.n * squares;
}

/* All channels of one position. */
static void forward(const struct lrn *l, const ptrdiff_t *at)
{
    for (int c = 0; c < l->x.tensor.size[1]; c++)
        store_channel(l, at[OUT], c,
                      load_channel(&l->x, at[X], c)
                          * pow(divisor(l, at[X], c), -l->desc.beta));
}

/* All channels of one position: each input is in the windows of its
 * neighbors. */
static void backward(const struct lrn *l, const ptrdiff_t *at)
{
    const double factor = 2 * l->desc.alpha * l->desc.beta / l->desc.n;

    for (int c = 0; c < l->x.tensor.size[1]; c++) {
        const struct range r = channel_window(l, c, true);
        double sum = 0;

        for (int i = r.from; i < r.to; i++)
            sum += load_channel(&l->dy, at[DY], i)
                   * load_channel(&l->x, at[X], i)
                   * pow(divisor(l, at[X], i), -l->desc.beta - 1);
        store_channel(l, at[OUT], c,
                      load_channel(&l->dy, at[DY], c)
                              * pow(divisor(l, at[X], c), -l->desc.beta)
                          - factor * load_channel(&l->x, at[X], c) * sum);
    }
}

/* A part of all positions. */
static void run(const void *self, unsigned part)
{
    const struct lrn *l = self;
    const size_t n = dnn_iterator_count(&l->nest.outer_loop);
    struct dnn_cursor c;

    dnn_iterator_start(&c, &l->nest.outer_loop, NULL,
                       dnn_part_begin(n, part, l->call.parts),
                       dnn_part_begin(n, part + 1, l->call.parts));
    for (; dnn_iterator_has_next(&c); dnn_iterator_next(&c))
        if (l->arguments == 2)
            forward(l, c.at);
        else
            backward(l, c.at);
}

/* Queue the call with its cost. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct lrn *l)
{
    const struct cudnnTensorStruct *tensors[] = {&l->out.tensor, &l->x.tensor,
                                                 &l->dy.tensor};
    const double n = (double)dnn_count(&l->x.tensor);
    int outer_size[CUDNN_DIM_MAX];

    dnn_copy_ints(outer_size, l->x.tensor.size, l->x.tensor.dims);
    outer_size[1] = 1;
    l->nest = dnn_loop_nest(&l->x.tensor, outer_size, tensors, 3);
    l->call.parts = dnn_parts(dnn_iterator_count(&l->nest.outer_loop),
                              20.0 * l->x.tensor.size[1]);
    l->call.operations = 2 * n * l->desc.n;
    l->call.bytes = l->arguments * n * (double)dnn_bytes(l->x.tensor.type);
    return dnn_submit(handle, l, sizeof *l);
}

/* Same sizes and type; strides may differ. */
static bool shapes_match(const struct cudnnTensorStruct *a,
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
    struct lrn l = {.call = DNN_CALL(run, declare_arrays), .arguments = 2};

    DNN_REQUIRE_PARAM(handle && desc && mode == CUDNN_LRN_CROSS_CHANNEL_DIM1);
    DNN_REQUIRE_PARAM(alpha && beta && x && y && shapes_match(x_desc, y_desc));
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
    struct lrn l = {.call = DNN_CALL(run, declare_arrays), .arguments = 4};

    DNN_REQUIRE_PARAM(handle && desc && mode == CUDNN_LRN_CROSS_CHANNEL_DIM1);
    DNN_REQUIRE_PARAM(alpha && beta && y && dy && x && dx);
    DNN_REQUIRE_PARAM(shapes_match(x_desc, y_desc)
                      && shapes_match(x_desc, dy_desc)
                      && shapes_match(x_desc, dx_desc));
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
    DNN_REQUIRE_PARAM(desc);
    *desc = malloc(sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
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
    DNN_REQUIRE_PARAM(desc && n >= CUDNN_LRN_MIN_N && n <= CUDNN_LRN_MAX_N
                      && k >= CUDNN_LRN_MIN_K && beta >= CUDNN_LRN_MIN_BETA);
    *desc = (struct cudnnLRNStruct){(int)n, alpha, beta, k};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t desc, unsigned *n,
                                    double *alpha, double *beta, double *k)
{
    DNN_REQUIRE_PARAM(desc);
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

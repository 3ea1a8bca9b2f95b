/* SPDX-License-Identifier: MIT */
/* Pooling, of one, two or three spatial dimensions: missing ones in front are
 * of size 1.  A part owns whole planes (one channel of one image). */
#include <math.h>
#include <stdlib.h>

#include "walk.h"

enum { MOST = 3 /* spatial dimensions */ };

/** A call; forward reads x, backward y, dy and x. */
struct pooling {
    struct softgpu_library_call call;
    cudnnPoolingMode_t mode;
    bool nan_passes;
    double alpha, beta;
    int window[MOST], pad[MOST], stride[MOST];
    int arguments;
    struct dnn_argument out, x, dy, y; /* out is y or dx */
};

/** A plane of a tensor. */
struct plane {
    const struct dnn_argument *of;
    ptrdiff_t first;
    int size[MOST];
    ptrdiff_t stride[MOST];
};

static struct plane plane_of(const struct dnn_argument *a, size_t number)
{
    const struct cudnnTensorStruct *t = &a->tensor;
    const size_t channels = (size_t)t->size[1];
    const size_t c = number % channels, n = number / channels;
    struct plane p = {.of = a, .size = {1, 1, 1}};

    p.first = (ptrdiff_t)n * dnn_stride(t, 0) + (ptrdiff_t)c * dnn_stride(t, 1);
    for (int d = 2; d < t->dims; d++) {
        p.size[MOST - t->dims + d] = t->size[d];
        p.stride[MOST - t->dims + d] = dnn_stride(t, d);
    }
    return p;
}

static ptrdiff_t place_of(const struct plane *p, const int *at)
{
    return p->first + at[0] * p->stride[0] + at[1] * p->stride[1]
           + at[2] * p->stride[2];
}

static double get(const struct plane *p, const int *at)
{
    return dnn_get(p->of->ptr, p->of->tensor.type, place_of(p, at));
}

/** What a window covers of x. */
struct window {
    int from[MOST], to[MOST];
    int places; /* of it that lie in x */
    int all;    /* in x or in the padding */
};

static struct window window_at(const struct pooling *p, const struct plane *x,
                               const int *at)
{
    struct window w = {.places = 1, .all = 1};

    for (int d = 0; d < MOST; d++) {
        const int begin = at[d] * p->stride[d] - p->pad[d];
        const int end = begin + p->window[d];

        w.from[d] = begin > 0 ? begin : 0;
        w.to[d] = end < x->size[d] ? end : x->size[d];
        w.places *= w.to[d] > w.from[d] ? w.to[d] - w.from[d] : 0;
        w.all *= p->window[d];
    }
    return w;
}

/* Go over all places from the first to before the last. */
#define EACH(i, from, to)                              \
    for (i[0] = from[0]; i[0] < to[0]; i[0]++)         \
        for (i[1] = from[1]; i[1] < to[1]; i[1]++)     \
            for (i[2] = from[2]; i[2] < to[2]; i[2]++)

static const int none[MOST];

static bool is_maximum(const struct pooling *p)
{
    return p->mode == CUDNN_POOLING_MAX
           || p->mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

/* By how much an average is divided. */
static double divisor(const struct pooling *p, const struct window *w)
{
    return p->mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? w->all
           : w->places ? w->places : 1;
}

/* The window's maximum and, in `best`, its first place. */
static double maximum(const struct pooling *p, const struct plane *x,
                      const struct window *w, int *best)
{
    double most = -INFINITY;
    bool found = false;
    int i[MOST];

    EACH(i, w->from, w->to) {
        const double v = get(x, i);
        const bool better = isnan(v) ? p->nan_passes && !isnan(most) : v > most;

        if (found && !better)
            continue;
        if (!found && isnan(v) && !p->nan_passes)
            continue;
        most = v;
        found = true;
        for (int d = 0; d < MOST; d++)
            best[d] = i[d];
    }
    return most;
}

static double sum(const struct plane *x, const struct window *w)
{
    double s = 0;
    int i[MOST];

    EACH(i, w->from, w->to)
        s += get(x, i);
    return s;
}

static void put(const struct pooling *p, const struct plane *out, const int *at,
                double v)
{
    const cudnnDataType_t type = out->of->tensor.type;
    const ptrdiff_t i = place_of(out, at);

    v *= p->alpha;
    if (p->beta != 0)
        v += p->beta * dnn_get(out->of->ptr, type, i);
    dnn_put(out->of->ptr, type, i, v);
}

static void forward(const struct pooling *p, size_t number)
{
    const struct plane x = plane_of(&p->x, number);
    const struct plane y = plane_of(&p->out, number);
    int at[MOST], best[MOST];

    EACH(at, none, y.size) {
        const struct window w = window_at(p, &x, at);

        put(p, &y, at, is_maximum(p) ? maximum(p, &x, &w, best)
                                     : sum(&x, &w) / divisor(p, &w));
    }
}

/* Where a place of x lies in a packed plane. */
static size_t packed(const struct plane *x, const int *at)
{
    return ((size_t)at[0] * (size_t)x->size[1] + (size_t)at[1])
               * (size_t)x->size[2] + (size_t)at[2];
}

/* Share a window's gradient out, to the packed plane. */
static void spread(const struct pooling *p, const struct plane *x,
                   const struct window *w, double dy, double *dx)
{
    int i[MOST] = {0};

    if (w->places == 0)
        return;
    if (is_maximum(p)) {
        maximum(p, x, w, i);
        dx[packed(x, i)] += dy;
        return;
    }
    EACH(i, w->from, w->to)
        dx[packed(x, i)] += dy / divisor(p, w);
}

/* The plane is summed up apart, for types that would round each time. */
static void backward(const struct pooling *p, size_t number)
{
    const struct plane x = plane_of(&p->x, number);
    const struct plane dy = plane_of(&p->dy, number);
    const struct plane out = plane_of(&p->out, number);
    double *dx = calloc((size_t)x.size[0] * (size_t)x.size[1]
                        * (size_t)x.size[2], sizeof *dx);
    int at[MOST];

    if (!dx)
        abort();
    EACH(at, none, dy.size) {
        const struct window w = window_at(p, &x, at);

        spread(p, &x, &w, get(&dy, at), dx);
    }
    EACH(at, none, x.size)
        put(p, &out, at, dx[packed(&x, at)]);
    free(dx);
}

static size_t planes(const struct pooling *p)
{
    return (size_t)p->x.tensor.size[0] * (size_t)p->x.tensor.size[1];
}

static void run(const void *self, unsigned part)
{
    const struct pooling *p = self;
    const size_t end = dnn_begin(planes(p), part + 1, p->call.parts);

    for (size_t i = dnn_begin(planes(p), part, p->call.parts); i < end; i++)
        if (p->arguments == 2)
            forward(p, i);
        else
            backward(p, i);
}

static void name_arrays(const void *self)
{
    const struct pooling *p = self;

    dnn_array(&p->x);
    if (p->arguments > 2) {
        dnn_array(&p->dy);
        dnn_array(&p->y);
    }
    dnn_array(&p->out);
}

static void set_shape(struct pooling *p, const struct cudnnPoolingStruct *desc)
{
    p->mode = desc->mode;
    p->nan_passes = desc->nan == CUDNN_PROPAGATE_NAN;
    for (int d = 0; d < MOST; d++) {
        const int from = d - (MOST - desc->dims);

        p->window[d] = from < 0 ? 1 : desc->window[from];
        p->pad[d] = from < 0 ? 0 : desc->pad[from];
        p->stride[d] = from < 0 ? 1 : desc->stride[from];
    }
}

static cudnnStatus_t submit(cudnnHandle_t handle, struct pooling *p)
{
    const double x = (double)dnn_count(&p->x.tensor);

    p->call.parts = dnn_parts(planes(p), 4 * x / (double)planes(p));
    p->call.operations = x;
    p->call.bytes = 1.5 * x * (double)dnn_bytes(p->x.tensor.type);
    return dnn_submit(handle, p, sizeof *p);
}

/* Whether y is what comes out of x. */
static bool is_result(const struct cudnnPoolingStruct *desc,
                      const struct cudnnTensorStruct *x,
                      const struct cudnnTensorStruct *y)
{
    bool is = dnn_is_set(x) && dnn_is_set(y) && x->dims == desc->dims + 2
              && x->dims == y->dims && x->size[0] == y->size[0]
              && x->size[1] == y->size[1];

    for (int d = 0; is && d < desc->dims; d++)
        is = y->size[d + 2] == 1 + (x->size[d + 2] + 2 * desc->pad[d]
                                    - desc->window[d]) / desc->stride[d];
    return is;
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle,
                                  const cudnnPoolingDescriptor_t desc,
                                  const void *alpha,
                                  const cudnnTensorDescriptor_t x_desc,
                                  const void *x, const void *beta,
                                  const cudnnTensorDescriptor_t y_desc, void *y)
{
    struct pooling p = {.call = DNN_CALL(run, name_arrays), .arguments = 2};

    DNN_LEGAL(handle && desc && desc->dims && alpha && beta && x && y);
    DNN_LEGAL(is_result(desc, x_desc, y_desc) && x_desc->type == y_desc->type);
    set_shape(&p, desc);
    p.alpha = dnn_scalar(alpha, x_desc->type);
    p.beta = dnn_scalar(beta, x_desc->type);
    p.x = dnn_in("x", x_desc, x);
    p.out = dnn_out("y", y_desc, y, p.beta);
    return submit(handle, &p);
}

cudnnStatus_t cudnnPoolingBackward(
    cudnnHandle_t handle, const cudnnPoolingDescriptor_t desc,
    const void *alpha, const cudnnTensorDescriptor_t y_desc, const void *y,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnTensorDescriptor_t x_desc, const void *x, const void *beta,
    const cudnnTensorDescriptor_t dx_desc, void *dx)
{
    struct pooling p = {.call = DNN_CALL(run, name_arrays), .arguments = 4};

    DNN_LEGAL(handle && desc && desc->dims && alpha && beta);
    DNN_LEGAL(y && dy && x && dx);
    DNN_LEGAL(is_result(desc, x_desc, y_desc)
              && is_result(desc, x_desc, dy_desc));
    DNN_LEGAL(dnn_is_set(dx_desc) && dnn_same_size(x_desc, dx_desc));
    DNN_LEGAL(x_desc->type == y_desc->type && x_desc->type == dy_desc->type
              && x_desc->type == dx_desc->type);
    set_shape(&p, desc);
    p.alpha = dnn_scalar(alpha, x_desc->type);
    p.beta = dnn_scalar(beta, x_desc->type);
    p.x = dnn_in("x", x_desc, x);
    p.y = dnn_in("y", y_desc, y);
    p.dy = dnn_in("dy", dy_desc, dy);
    p.out = dnn_out("dx", dx_desc, dx, p.beta);
    return submit(handle, &p);
}

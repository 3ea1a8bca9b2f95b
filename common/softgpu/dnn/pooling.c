/* SPDX-License-Identifier: MIT */
/* Calls of pooling, with one to three spatial dimensions: missing leading ones
 * have size 1.  A part owns whole planes (one channel of one image) and
 * converts each to double; the usual maximum pooling needs no doubles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pool_plane.h"
#include "pool_rows.h"
#include "strip.h"
#include "tensor_iterator.h"

/** Arguments of a call; forward reads x, backward y, dy and x. */
struct pooling {
    struct softgpu_library_call call;
    struct dnn_pool pool;
    double alpha, beta;
    int arguments;
    struct dnn_argument out, x, dy, y; /* out is y or dx */
};

/** A plane of a tensor. */
struct plane {
    const struct dnn_argument *of;
    ptrdiff_t first;
    int size[DNN_POOL_DIMS];
    ptrdiff_t stride[DNN_POOL_DIMS];
};

/* One channel of one image. */
static struct plane make_plane(const struct dnn_argument *a, size_t number)
{
    const struct cudnnTensorStruct *t = &a->tensor;
    const size_t channels = (size_t)t->size[1];
    const size_t c = number % channels, n = number / channels;
    struct plane p = {.of = a, .size = {1, 1, 1}};

    p.first = (ptrdiff_t)n * dnn_stride(t, 0) + (ptrdiff_t)c * dnn_stride(t, 1);
    for (int d = 2; d < t->dims; d++) {
        p.size[DNN_POOL_DIMS - t->dims + d] = t->size[d];
        p.stride[DNN_POOL_DIMS - t->dims + d] = dnn_stride(t, d);
    }
    return p;
}

/* Of a plane of up to three dimensions. */
static size_t elements(const int *size)
{
    return (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
}

/* Row i of a plane. */
static struct dnn_strip row_of(const struct plane *p, int i)
{
    return (struct dnn_strip){
        p->of, p->first + i / p->size[1] * p->stride[0]
                   + i % p->size[1] * p->stride[1], p->stride[2]};
}

/* A plane, as doubles without strides. */
static void load(double *to, const struct dnn_argument *a, size_t number)
{
    const struct plane p = make_plane(a, number);

    for (int i = 0; i < p.size[0] * p.size[1]; i++, to += p.size[2]) {
        const struct dnn_strip row = row_of(&p, i);

        dnn_load_strip(to, &row, (size_t)p.size[2]);
    }
}

/* A plane, blended with what is there. */
static void store(const struct pooling *of, const double *from, size_t number)
{
    const struct plane p = make_plane(&of->out, number);

    for (int i = 0; i < p.size[0] * p.size[1]; i++, from += p.size[2]) {
        const struct dnn_strip row = row_of(&p, i);

        dnn_store_strip(&row, from, (size_t)p.size[2], of->alpha, of->beta);
    }
}

/** Buffers for planes of doubles. */
struct plane_buffers {
    double *x, *dx, *y, *row; /* y or dy */
};

/* One plane. */
static void forward(const struct pooling *p, const struct plane_buffers *r,
                    size_t number)
{
    load(r->x, &p->x, number);
    dnn_pool_forward(&p->pool, r->x, r->y, r->row);
    store(p, r->y, number);
}

/* Accumulate in a buffer, because small types would round each addition. */
static void backward(const struct pooling *p, const struct plane_buffers *r,
                     size_t number)
{
    load(r->x, &p->x, number);
    load(r->y, &p->dy, number);
    memset(r->dx, 0, elements(p->pool.x) * sizeof *r->dx);
    dnn_pool_backward(&p->pool, r->x, r->y, r->dx, r->row);
    store(p, r->dx, number);
}

/* Images times channels. */
static size_t planes(const struct pooling *p)
{
    return (size_t)p->x.tensor.size[0] * (size_t)p->x.tensor.size[1];
}

/* --- windows of floats side by side --------------------------------------- */

/* Is a row of this tensor an array of floats? */
static bool has_float_rows(const struct dnn_argument *a)
{
    return a->tensor.type == CUDNN_DATA_FLOAT
           && dnn_stride(&a->tensor, a->tensor.dims - 1) == 1;
}

/* The usual maximum pooling: windows that do not overlap, without padding, of
 * floats.  A maximum is an element, so nothing is lost without doubles. */
static bool is_disjoint_maximum(const struct pooling *p)
{
    const struct dnn_pool *pool = &p->pool;
    bool is = pool->maximum && p->alpha == 1 && p->beta == 0
              && pool->x[0] == 1 && p->x.ptr != p->out.ptr
              && has_float_rows(&p->x) && has_float_rows(&p->out)
              && (p->arguments == 2
                  || (has_float_rows(&p->dy) && has_float_rows(&p->y)));

    for (int d = 0; d < DNN_POOL_DIMS; d++)
        is = is && pool->pad[d] == 0 && pool->stride[d] == pool->window[d];
    return is;
}

/* Row i of a plane of floats with one or two dimensions. */
static float *float_row(const struct plane *p, int i)
{
    return (float *)p->of->ptr + p->first + i * p->stride[1];
}

/* One plane. */
static void forward_floats(const struct pooling *p, size_t number)
{
    const struct plane x = make_plane(&p->x, number);
    const struct plane y = make_plane(&p->out, number);
    const bool nan = p->pool.propagate_nan;
    const int rows = p->pool.window[1], columns = p->pool.window[2];

    for (int i = 0; i < y.size[1]; i++) {
        float *const to = float_row(&y, i);

        for (int q = 0; q < y.size[2]; q++) to[q] = nan ? -INFINITY : NAN;
        for (int r = 0; r < rows; r++)
            dnn_update_maxima(float_row(&x, i * rows + r), columns, nan, to,
                              y.size[2]);
        for (int q = 0; q < y.size[2] && !nan; q++)
            to[q] = isnan(to[q]) ? -INFINITY : to[q];
    }
}

/** The maxima of a row of windows, and their places, from 0 in each window. */
struct maxima {
    float *value;
    int *place;
};

/* A card finds the maximum of a window as the element that equals y: where y is
 * another one, as after dy has overwritten it, the gradient goes nowhere. */
static void match_output(const struct maxima *m, const float *y, int n)
{
    for (int q = 0; q < n; q++)
        if (m->value[q] < y[q] || m->value[q] > y[q])
            m->place[q] = -1;
}

/** The planes of a backward pass. */
struct backward_planes {
    struct plane x, dx, dy, y;
};

/* Row i of windows.  A window without a maximum has it at its first element. */
static void backward_row(const struct pooling *p,
                         const struct backward_planes *a,
                         const struct maxima *m, int i)
{
    const bool nan = p->pool.propagate_nan;
    const int rows = p->pool.window[1], columns = p->pool.window[2];
    const int n = a->dy.size[2];

    for (int q = 0; q < n; q++) {
        m->value[q] = nan ? -INFINITY : NAN;
        m->place[q] = 0;
    }
    for (int r = 0; r < rows; r++)
        dnn_update_places(float_row(&a->x, i * rows + r), columns, nan,
                          r * columns, m->value, m->place, n);
    match_output(m, float_row(&a->y, i), n);
    for (int r = 0; r < rows; r++)
        dnn_store_at_places(float_row(&a->dx, i * rows + r), columns,
                            r * columns, float_row(&a->dy, i), m->place, n);
}

/* One plane.  Elements that no window has, at the right and below, get 0. */
static void backward_floats(const struct pooling *p, const struct maxima *m,
                            size_t number)
{
    const struct backward_planes a = {
        make_plane(&p->x, number), make_plane(&p->out, number),
        make_plane(&p->dy, number), make_plane(&p->y, number)};
    const int covered = a.dy.size[1] * p->pool.window[1];
    const int columns = a.dy.size[2] * p->pool.window[2];

    for (int i = 0; i < a.dx.size[1]; i++) {
        const int from = i < covered ? columns : 0;

        memset(float_row(&a.dx, i) + from, 0,
               (size_t)(a.dx.size[2] - from) * sizeof(float));
    }
    for (int i = 0; i < a.dy.size[1]; i++)
        backward_row(p, &a, m, i);
}

/* --- calls ---------------------------------------------------------------- */

/* A part of all planes of floats. */
static void run_floats(const struct pooling *p, unsigned part)
{
    const size_t end = dnn_part_begin(planes(p), part + 1, p->call.parts);
    const size_t row = (size_t)p->pool.y[2];
    const struct maxima m = {malloc(row * sizeof(float)),
                             malloc(row * sizeof(int))};

    if (!m.value || !m.place)
        abort();
    for (size_t i = dnn_part_begin(planes(p), part, p->call.parts); i < end;
         i++)
        if (p->arguments == 2)
            forward_floats(p, i);
        else
            backward_floats(p, &m, i);
    free(m.value);
    free(m.place);
}

/* A part of all planes, with buffers of its own. */
static void run(const void *self, unsigned part)
{
    const struct pooling *p = self;

    if (is_disjoint_maximum(p)) {
        run_floats(p, part);
        return;
    }

    const size_t end = dnn_part_begin(planes(p), part + 1, p->call.parts);
    const size_t x = elements(p->pool.x), y = elements(p->pool.y);
    const size_t row = 2 * (size_t)p->pool.y[2];
    double *const all = malloc((2 * x + y + row) * sizeof *all);
    const struct plane_buffers r = {all, all + x, all + 2 * x, all + 2 * x + y};

    if (!all)
        abort();
    for (size_t i = dnn_part_begin(planes(p), part, p->call.parts); i < end;
         i++)
        if (p->arguments == 2)
            forward(p, &r, i);
        else
            backward(p, &r, i);
    free(all);
}

/* For the checks: the backward pass reads two arrays more. */
static void declare_arrays(const void *self)
{
    const struct pooling *p = self;

    dnn_array(&p->x);
    if (p->arguments > 2) {
        dnn_array(&p->dy);
        dnn_array(&p->y);
    }
    dnn_array(&p->out);
}

/* Fewer than three spatial dimensions are aligned at the end. */
static struct dnn_pool make_pool(const struct cudnnPoolingStruct *desc,
                                 const struct cudnnTensorStruct *x,
                                 const struct cudnnTensorStruct *y)
{
    struct dnn_pool p = {
        .maximum = desc->mode == CUDNN_POOLING_MAX
                   || desc->mode == CUDNN_POOLING_MAX_DETERMINISTIC,
        .padding = desc->mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING,
        .propagate_nan = desc->nan == CUDNN_PROPAGATE_NAN};

    for (int d = 0; d < DNN_POOL_DIMS; d++) {
        const int from = d - (DNN_POOL_DIMS - desc->dims);

        p.window[d] = from < 0 ? 1 : desc->window[from];
        p.pad[d] = from < 0 ? 0 : desc->pad[from];
        p.stride[d] = from < 0 ? 1 : desc->stride[from];
        p.x[d] = from < 0 ? 1 : x->size[from + 2];
        p.y[d] = from < 0 ? 1 : y->size[from + 2];
    }
    return p;
}

/* Queue the call with its cost. */
static cudnnStatus_t submit(cudnnHandle_t handle, struct pooling *p)
{
    const double x = (double)dnn_count(&p->x.tensor);

    p->call.parts = dnn_parts(planes(p), 4 * x / (double)planes(p));
    p->call.operations = x;
    p->call.bytes = 1.5 * x * (double)dnn_bytes(p->x.tensor.type);
    return dnn_submit(handle, p, sizeof *p);
}

/* Does y have the output shape for x? */
static bool is_output_shape(const struct cudnnPoolingStruct *desc,
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
    struct pooling p = {.call = DNN_CALL(run, declare_arrays), .arguments = 2};

    DNN_REQUIRE_PARAM(handle && desc && desc->dims && alpha && beta && x && y);
    DNN_REQUIRE_PARAM(is_output_shape(desc, x_desc, y_desc)
                      && x_desc->type == y_desc->type);
    p.pool = make_pool(desc, x_desc, y_desc);
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
    struct pooling p = {.call = DNN_CALL(run, declare_arrays), .arguments = 4};

    DNN_REQUIRE_PARAM(handle && desc && desc->dims && alpha && beta);
    DNN_REQUIRE_PARAM(y && dy && x && dx);
    DNN_REQUIRE_PARAM(is_output_shape(desc, x_desc, y_desc)
                      && is_output_shape(desc, x_desc, dy_desc));
    DNN_REQUIRE_PARAM(dnn_is_set(dx_desc) && dnn_same_size(x_desc, dx_desc));
    DNN_REQUIRE_PARAM(x_desc->type == y_desc->type
                      && x_desc->type == dy_desc->type
                      && x_desc->type == dx_desc->type);
    p.pool = make_pool(desc, x_desc, y_desc);
    p.alpha = dnn_scalar(alpha, x_desc->type);
    p.beta = dnn_scalar(beta, x_desc->type);
    p.x = dnn_in("x", x_desc, x);
    p.y = dnn_in("y", y_desc, y);
    p.dy = dnn_in("dy", dy_desc, dy);
    p.out = dnn_out("dx", dx_desc, dx, p.beta);
    return submit(handle, &p);
}

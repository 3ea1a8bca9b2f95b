/* SPDX-License-Identifier: MIT */
/* Convolutions in double, which oneDNN does not provide: nested loops.  Three
 * spatial dimensions; missing leading ones have size 1. */
#include "convolve.h"
#include "tensor_iterator.h"

enum { MAX_SPATIAL = 3 /* spatial dimensions */ };

/** A tensor with three spatial dimensions. */
struct tensor_view {
    double *data;
    int size[MAX_SPATIAL];
    ptrdiff_t outer[2]; /* strides of its first two dimensions */
    ptrdiff_t stride[MAX_SPATIAL];
};

/** A convolution in progress. */
struct direct_convolution {
    enum dnn_direction direction;
    int stride[MAX_SPATIAL], pad[MAX_SPATIAL], dilation[MAX_SPATIAL];
    struct tensor_view x, w, y;
};

/* Up to three spatial dimensions; fewer are aligned at the end. */
static struct tensor_view make_view(const struct cudnnTensorStruct *t,
                                    void *data)
{
    struct tensor_view g = {.data = data, .size = {1, 1, 1}};

    for (int d = 0; d < t->dims; d++) {
        if (d < 2) {
            g.outer[d] = dnn_stride(t, d);
            continue;
        }
        g.size[MAX_SPATIAL - t->dims + d] = t->size[d];
        g.stride[MAX_SPATIAL - t->dims + d] = dnn_stride(t, d);
    }
    return g;
}

/* Before gradients are accumulated. */
static void fill_zero(const struct cudnnTensorStruct *t, double *data)
{
    struct dnn_iterator w = {.operands = 1};
    struct dnn_cursor c;

    for (int d = 0; d < t->dims; d++)
        dnn_iterator_add_dim(&w, (size_t)t->size[d],
                             (ptrdiff_t[]){dnn_stride(t, d)});
    dnn_iterator_start(&c, &w, NULL, 0, dnn_iterator_count(&w));
    for (; dnn_iterator_has_next(&c); dnn_iterator_next(&c))
        data[c.at[0]] = 0;
}

/* Accumulate the products of one filter tap along a row of y. */
static void accumulate_row(const struct direct_convolution *c, double *x,
                           double *w, double *y, int from, int to)
{
    const ptrdiff_t step = c->x.stride[2] * c->stride[2];
    const ptrdiff_t step_y = c->y.stride[2];

    const double factor = *w;
    double sum = 0;

    x += from * step;
    y += from * step_y;
    if (c->direction == DNN_FORWARD)
        for (int q = from; q < to; q++, x += step, y += step_y)
            *y += factor * *x;
    else if (c->direction == DNN_BACKWARD_DATA)
        for (int q = from; q < to; q++, x += step, y += step_y)
            *x += factor * *y;
    else
        for (int q = from; q < to; q++, x += step, y += step_y)
            sum += *y * *x;
    if (c->direction == DNN_BACKWARD_FILTER)
        *w += sum;
}

/* Position in x of a filter tap, for position p of y. */
static int input_position(const struct direct_convolution *c, int d, int p,
                          int accumulate_tap)
{
    return p * c->stride[d] - c->pad[d] + accumulate_tap * c->dilation[d];
}

/* One filter tap over a plane of y; clips the row to the valid positions. */
static void accumulate_tap(const struct direct_convolution *c, double *x,
                           double *w, double *y, const int *at)
{
    int from = 0, to = c->y.size[2];

    while (from < to && input_position(c, 2, from, at[2]) < 0)
        from++;
    while (to > from && input_position(c, 2, to - 1, at[2]) >= c->x.size[2])
        to--;
    for (int i = 0; i < c->y.size[0] * c->y.size[1]; i++) {
        const int p = i / c->y.size[1], q = i % c->y.size[1];
        const int u = input_position(c, 0, p, at[0]),
                  v = input_position(c, 1, q, at[1]);

        if (u < 0 || v < 0 || u >= c->x.size[0] || v >= c->x.size[1])
            continue;
        accumulate_row(c,
                       x + u * c->x.stride[0] + v * c->x.stride[1]
                           + input_position(c, 2, 0, at[2]) * c->x.stride[2],
                       w, y + p * c->y.stride[0] + q * c->y.stride[1], from,
                       to);
    }
}

/* One channel of a filter over a plane. */
static void accumulate_plane(const struct direct_convolution *c, double *x,
                             double *w, double *y)
{
    int i[MAX_SPATIAL];

    for (i[0] = 0; i[0] < c->w.size[0]; i[0]++)
        for (i[1] = 0; i[1] < c->w.size[1]; i[1]++)
            for (i[2] = 0; i[2] < c->w.size[2]; i[2]++)
                accumulate_tap(c, x,
                               w + i[0] * c->w.stride[0] + i[1] * c->w.stride[1]
                                   + i[2] * c->w.stride[2],
                               y, i);
}

void dnn_convolve_direct(const struct dnn_conv_job *job)
{
    const struct dnn_conv_shape *s = job->shape;
    const int filters = s->w.size[0] / s->desc.groups;
    struct direct_convolution c = {
        .direction = s->direction, .stride = {1, 1, 1}, .dilation = {1, 1, 1},
        .x = make_view(&s->x, job->x), .w = make_view(&s->w, job->w),
        .y = make_view(&s->y, job->y)};

    for (int d = 0; d < s->desc.dims; d++) {
        c.stride[MAX_SPATIAL - s->desc.dims + d] = s->desc.stride[d];
        c.pad[MAX_SPATIAL - s->desc.dims + d] = s->desc.pad[d];
        c.dilation[MAX_SPATIAL - s->desc.dims + d] = s->desc.dilation[d];
    }
    if (s->direction == DNN_FORWARD)
        fill_zero(&s->y, job->y);
    else if (s->direction == DNN_BACKWARD_DATA)
        fill_zero(&s->x, job->x);
    else
        fill_zero(&s->w, job->w);
    for (int i = 0; i < s->x.size[0] * s->w.size[0]; i++) {
        const int n = i / s->w.size[0], k = i % s->w.size[0];
        const int first = k / filters * s->w.size[1];

        for (int j = 0; j < s->w.size[1]; j++)
            accumulate_plane(
                &c, c.x.data + n * c.x.outer[0] + (first + j) * c.x.outer[1],
                c.w.data + k * c.w.outer[0] + j * c.w.outer[1],
                c.y.data + n * c.y.outer[0] + k * c.y.outer[1]);
    }
}

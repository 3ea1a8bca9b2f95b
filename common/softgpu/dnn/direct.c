/* SPDX-License-Identifier: MIT */
/* Convolutions of double, which oneDNN does not have: sums as they are written
 * down.  One, two or three spatial dimensions; missing ones in front are of
 * size 1. */
#include "convolve.h"
#include "walk.h"

enum { MOST = 3 /* spatial dimensions */ };

/** A tensor, as the loops want it. */
struct grid {
    double *data;
    int size[MOST];
    ptrdiff_t outer[2]; /* strides of its first two dimensions */
    ptrdiff_t stride[MOST];
};

/** A convolution being done. */
struct direct {
    enum dnn_direction direction;
    int stride[MOST], pad[MOST], dilation[MOST];
    struct grid x, w, y;
};

static struct grid grid_of(const struct cudnnTensorStruct *t, void *data)
{
    struct grid g = {.data = data, .size = {1, 1, 1}};

    for (int d = 0; d < t->dims; d++) {
        if (d < 2) {
            g.outer[d] = dnn_stride(t, d);
            continue;
        }
        g.size[MOST - t->dims + d] = t->size[d];
        g.stride[MOST - t->dims + d] = dnn_stride(t, d);
    }
    return g;
}

static void clear(const struct cudnnTensorStruct *t, double *data)
{
    struct dnn_walk w = {.operands = 1};
    struct dnn_cursor c;

    for (int d = 0; d < t->dims; d++)
        dnn_walk_add(&w, (size_t)t->size[d], (ptrdiff_t[]){dnn_stride(t, d)});
    dnn_walk_start(&c, &w, NULL, 0, dnn_walk_count(&w));
    for (; dnn_walk_more(&c); dnn_walk_next(&c))
        data[c.at[0]] = 0;
}

/* The products of one tap along a row of y. */
static void row(const struct direct *c, double *x, double *w, double *y,
                int from, int to)
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

/* Where a tap falls in x for place p of y. */
static int place(const struct direct *c, int d, int p, int tap)
{
    return p * c->stride[d] - c->pad[d] + tap * c->dilation[d];
}

/* One tap of one filter's channel over one plane of y. */
static void tap(const struct direct *c, double *x, double *w, double *y,
                const int *at)
{
    int from = 0, to = c->y.size[2];

    while (from < to && place(c, 2, from, at[2]) < 0)
        from++;
    while (to > from && place(c, 2, to - 1, at[2]) >= c->x.size[2])
        to--;
    for (int i = 0; i < c->y.size[0] * c->y.size[1]; i++) {
        const int p = i / c->y.size[1], q = i % c->y.size[1];
        const int u = place(c, 0, p, at[0]), v = place(c, 1, q, at[1]);

        if (u < 0 || v < 0 || u >= c->x.size[0] || v >= c->x.size[1])
            continue;
        row(c, x + u * c->x.stride[0] + v * c->x.stride[1]
                   + place(c, 2, 0, at[2]) * c->x.stride[2],
            w, y + p * c->y.stride[0] + q * c->y.stride[1], from, to);
    }
}

/* One filter's channel over one plane. */
static void plane(const struct direct *c, double *x, double *w, double *y)
{
    int i[MOST];

    for (i[0] = 0; i[0] < c->w.size[0]; i[0]++)
        for (i[1] = 0; i[1] < c->w.size[1]; i[1]++)
            for (i[2] = 0; i[2] < c->w.size[2]; i[2]++)
                tap(c, x, w + i[0] * c->w.stride[0] + i[1] * c->w.stride[1]
                           + i[2] * c->w.stride[2], y, i);
}

void direct_convolve(const struct convolve_job *job)
{
    const struct dnn_shape *s = job->shape;
    const int filters = s->w.size[0] / s->desc.groups;
    struct direct c = {
        .direction = s->direction, .stride = {1, 1, 1}, .dilation = {1, 1, 1},
        .x = grid_of(&s->x, job->x), .w = grid_of(&s->w, job->w),
        .y = grid_of(&s->y, job->y)};

    for (int d = 0; d < s->desc.dims; d++) {
        c.stride[MOST - s->desc.dims + d] = s->desc.stride[d];
        c.pad[MOST - s->desc.dims + d] = s->desc.pad[d];
        c.dilation[MOST - s->desc.dims + d] = s->desc.dilation[d];
    }
    if (s->direction == DNN_FORWARD)
        clear(&s->y, job->y);
    else if (s->direction == DNN_BACKWARD_DATA)
        clear(&s->x, job->x);
    else
        clear(&s->w, job->w);
    for (int i = 0; i < s->x.size[0] * s->w.size[0]; i++) {
        const int n = i / s->w.size[0], k = i % s->w.size[0];
        const int first = k / filters * s->w.size[1];

        for (int j = 0; j < s->w.size[1]; j++)
            plane(&c, c.x.data + n * c.x.outer[0] + (first + j) * c.x.outer[1],
                  c.w.data + k * c.w.outer[0] + j * c.w.outer[1],
                  c.y.data + n * c.y.outer[0] + k * c.y.outer[1]);
    }
}

/* SPDX-License-Identifier: MIT */
/* Pooling of a plane; see pool_plane.h.  The elements of a window, and the
 * windows of an element, are visited in memory order: sums have fixed bits. */
#include "pool_plane.h"

#include <math.h>

#include "strip.h"

/** A half-open range. */
struct range {
    int from, to;
};

/* 0 for an empty range. */
static int length(struct range r)
{
    return r.to > r.from ? r.to - r.from : 0;
}

/* Elements of x in window i, along a dimension. */
static struct range window_range(const struct dnn_pool *p, int d, int i)
{
    const int begin = i * p->stride[d] - p->pad[d];
    const int end = begin + p->window[d];

    return (struct range){begin > 0 ? begin : 0, end < p->x[d] ? end : p->x[d]};
}

/* Windows of a row whose column s is inside x. */
static struct range valid_windows(const struct dnn_pool *p, int s)
{
    const int stride = p->stride[2], first = p->pad[2] - s;
    const int end = p->x[2] + first;
    const int from = first > 0 ? (first + stride - 1) / stride : 0;
    const int to = end > 0 ? (end + stride - 1) / stride : 0;

    return (struct range){from, to < p->y[2] ? to : p->y[2]};
}

/** A row of windows. */
struct row {
    struct range planes, lines; /* planes and rows of x that they cover */
    size_t first;               /* first element of y */
};

/** Column s of all windows of a row: x[begin + q * stride] for window q. */
struct window_column {
    struct range q;
    ptrdiff_t begin, stride;
};

/* The windows that have an element at this line and offset. */
static struct window_column make_window_column(const struct dnn_pool *p,
                                               size_t line, int s)
{
    return (struct window_column){valid_windows(p, s),
                                  (ptrdiff_t)line * p->x[2] + s - p->pad[2],
                                  p->stride[2]};
}

/* Iterate over the rows of x that a row of windows covers. */
#define FOR_EACH_LINE(p, r, line)                              \
    for (int i_ = (r)->planes.from; i_ < (r)->planes.to; i_++) \
        for (size_t line = (size_t)i_ * (size_t)(p)->x[1]      \
                           + (size_t)(r)->lines.from,          \
                    end_ = line + (size_t)length((r)->lines);  \
             line < end_; line++)

/* Update the maximum of each window and its index.  Initially -inf; a NaN
 * replaces any number and stays. */
DNN_VECTORIZE
static void update_max_or_nan(const struct window_column *at,
                              const double *restrict x,
                              double *restrict maximum_value,
                              double *restrict argmax)
{
    for (int q = at->q.from; q < at->q.to; q++) {
        const ptrdiff_t i = at->begin + q * at->stride;
        const double v = x[i], current = maximum_value[q], was = argmax[q];
        const bool stays = (v <= current) | (current != current);

        maximum_value[q] = stays ? current : v;
        argmax[q] = stays ? was : (double)i;
    }
}

/* Likewise without propagating NaN: initially NaN, which any number replaces.
 */
DNN_VECTORIZE
static void update_max(const struct window_column *at, const double *restrict x,
                       double *restrict maximum_value, double *restrict argmax)
{
    for (int q = at->q.from; q < at->q.to; q++) {
        const ptrdiff_t i = at->begin + q * at->stride;
        const double v = x[i], current = maximum_value[q], was = argmax[q];
        const bool stays = (v <= current) | (v != v);

        maximum_value[q] = stays ? current : v;
        argmax[q] = stays ? was : (double)i;
    }
}

/* Maxima of a row of windows, and their first indices (-1: none). */
static void max_of_windows(const struct dnn_pool *p, const struct row *r,
                           const double *x, double *maximum_value,
                           double *argmax)
{
    for (int q = 0; q < p->y[2]; q++) {
        maximum_value[q] = p->propagate_nan ? -INFINITY : NAN;
        argmax[q] = -1;
    }
    FOR_EACH_LINE(p, r, line)
        for (int s = 0; s < p->window[2]; s++) {
            const struct window_column at = make_window_column(p, line, s);

            if (p->propagate_nan)
                update_max_or_nan(&at, x, maximum_value, argmax);
            else
                update_max(&at, x, maximum_value, argmax);
        }
    for (int q = 0; q < p->y[2] && !p->propagate_nan; q++)
        maximum_value[q] =
            isnan(maximum_value[q]) ? -INFINITY : maximum_value[q];
}

DNN_VECTORIZE
static void gather_add(const struct window_column *at, const double *x,
                       double *y)
{
    for (int q = at->q.from; q < at->q.to; q++)
        y[q] += x[at->begin + q * at->stride];
}

DNN_VECTORIZE
static void scatter_add(const struct window_column *at, const double *y,
                        double *x)
{
    for (int q = at->q.from; q < at->q.to; q++)
        x[at->begin + q * at->stride] += y[q];
}

/* Divide by the number of elements of each window. */
static void divide_by_count(const struct dnn_pool *p, const struct row *r,
                            const double *from, double *to)
{
    const int lines = length(r->planes) * length(r->lines);

    for (int q = 0; q < p->y[2]; q++) {
        const int window_column = lines * length(window_range(p, 2, q));
        const int all = p->window[0] * p->window[1] * p->window[2];

        to[q] = from[q]
                / (p->padding      ? all
                   : window_column ? window_column
                                   : 1);
    }
}

/* Sums of one row of windows, offset by offset, so that the inner loop is over
 * windows. */
static void average_of_windows(const struct dnn_pool *p, const struct row *r,
                               const double *x, double *y)
{
    for (int q = 0; q < p->y[2]; q++)
        y[q] = 0;
    FOR_EACH_LINE(p, r, line)
        for (int s = 0; s < p->window[2]; s++) {
            const struct window_column at = make_window_column(p, line, s);

            gather_add(&at, x, y);
        }
    divide_by_count(p, r, y, y);
}

/* Iterate over the rows of y. */
#define FOR_EACH_ROW(p, r)                                                \
    for (int i0 = 0; i0 < (p)->y[0]; i0++)                                \
        for (int i1 = 0; i1 < (p)->y[1] && (r = row_of(p, i0, i1), true); \
             i1++)

/* The lines of the plane that one row of windows covers. */
static struct row row_of(const struct dnn_pool *p, int i0, int i1)
{
    return (struct row){window_range(p, 0, i0), window_range(p, 1, i1),
                        ((size_t)i0 * (size_t)p->y[1] + (size_t)i1)
                            * (size_t)p->y[2]};
}

void dnn_pool_forward(const struct dnn_pool *p, const double *x, double *y,
                      double *row)
{
    struct row r;

    FOR_EACH_ROW(p, r)
        if (p->maximum)
            max_of_windows(p, &r, x, y + r.first, row);
        else
            average_of_windows(p, &r, x, y + r.first);
}

/* Add dy to the maximum; a window without a maximum adds it to its first
 * element. */
static void scatter_to_max(const struct dnn_pool *p, const struct row *r,
                           const double *argmax, const double *dy, double *dx)
{
    const size_t line = (size_t)r->planes.from * (size_t)p->x[1]
                        + (size_t)r->lines.from;

    if (!length(r->planes) || !length(r->lines))
        return;
    for (int q = 0; q < p->y[2]; q++) {
        const struct range columns = window_range(p, 2, q);

        if (argmax[q] >= 0)
            dx[(size_t)argmax[q]] += dy[q];
        else if (length(columns))
            dx[line * (size_t)p->x[2] + (size_t)columns.from] += dy[q];
    }
}

/* Add each window's value to all its elements. */
static void scatter_to_window(const struct dnn_pool *p, const struct row *r,
                              const double *value, double *dx)
{
    FOR_EACH_LINE(p, r, line)
        for (int s = p->window[2] - 1; s >= 0; s--) {
            const struct window_column at = make_window_column(p, line, s);

            scatter_add(&at, value, dx);
        }
}

void dnn_pool_backward(const struct dnn_pool *p, const double *x,
                       const double *dy, double *dx, double *row)
{
    double *const maximum_value = row + p->y[2];
    struct row r;

    FOR_EACH_ROW(p, r)
        if (p->maximum) {
            max_of_windows(p, &r, x, maximum_value, row);
            scatter_to_max(p, &r, row, dy + r.first, dx);
        } else {
            divide_by_count(p, &r, dy + r.first, row);
            scatter_to_window(p, &r, row, dx);
        }
}

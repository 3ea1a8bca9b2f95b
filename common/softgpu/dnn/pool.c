/* SPDX-License-Identifier: MIT */
/* Pooling of a plane; see pool.h.  A window's places come in their order in
 * memory, and a place's windows come in theirs: so sums have fixed bits. */
#include "pool.h"

#include <math.h>

#include "strip.h"

/** From where to where. */
struct range {
    int from, to;
};

static int length(struct range r)
{
    return r.to > r.from ? r.to - r.from : 0;
}

/* What window number i covers of x along a dimension. */
static struct range covered(const struct dnn_pool *p, int d, int i)
{
    const int begin = i * p->stride[d] - p->pad[d];
    const int end = begin + p->window[d];

    return (struct range){begin > 0 ? begin : 0, end < p->x[d] ? end : p->x[d]};
}

/* In which windows of a row the place `s` of the window lies in x. */
static struct range inside(const struct dnn_pool *p, int s)
{
    const int stride = p->stride[2], first = p->pad[2] - s;
    const int end = p->x[2] + first;
    const int from = first > 0 ? (first + stride - 1) / stride : 0;
    const int to = end > 0 ? (end + stride - 1) / stride : 0;

    return (struct range){from, to < p->y[2] ? to : p->y[2]};
}

/** A row of windows. */
struct row {
    struct range planes, lines; /* of x that they cover */
    size_t first;               /* element of y */
};

/** One place of all windows of a row: x[begin + q stride] for each q. */
struct places {
    struct range q;
    ptrdiff_t begin, stride;
};

static struct places places_of(const struct dnn_pool *p, size_t line, int s)
{
    return (struct places){
        inside(p, s), (ptrdiff_t)line * p->x[2] + s - p->pad[2], p->stride[2]};
}

/* Visit a row's places; `s` runs up, or down so that windows run up. */
#define EACH_LINE(p, r, line)                                              \
    for (int i_ = (r)->planes.from; i_ < (r)->planes.to; i_++)             \
        for (size_t line = (size_t)i_ * (size_t)(p)->x[1]                  \
                           + (size_t)(r)->lines.from,                      \
                    end_ = line + (size_t)length((r)->lines);              \
             line < end_; line++)

/* The greatest so far of each window of a row, and where it was; at first -inf,
 * and a NaN goes before all and stays. */
DNN_LOOP
static void keep_maxima_or_nan(const struct places *at,
                               const double *restrict x,
                               double *restrict most, double *restrict place)
{
    for (int q = at->q.from; q < at->q.to; q++) {
        const ptrdiff_t i = at->begin + q * at->stride;
        const double v = x[i], so_far = most[q], was = place[q];
        const bool stays = (v <= so_far) | (so_far != so_far);

        most[q] = stays ? so_far : v;
        place[q] = stays ? was : (double)i;
    }
}

/* Likewise without NaN: at first one, which any number replaces. */
DNN_LOOP
static void keep_maxima(const struct places *at, const double *restrict x,
                        double *restrict most, double *restrict place)
{
    for (int q = at->q.from; q < at->q.to; q++) {
        const ptrdiff_t i = at->begin + q * at->stride;
        const double v = x[i], so_far = most[q], was = place[q];
        const bool stays = (v <= so_far) | (v != v);

        most[q] = stays ? so_far : v;
        place[q] = stays ? was : (double)i;
    }
}

/* The maxima of a row of windows, and their first places (-1: none). */
static void maxima(const struct dnn_pool *p, const struct row *r,
                   const double *x, double *most, double *place)
{
    for (int q = 0; q < p->y[2]; q++) {
        most[q] = p->nan_passes ? -INFINITY : NAN;
        place[q] = -1;
    }
    EACH_LINE(p, r, line)
        for (int s = 0; s < p->window[2]; s++) {
            const struct places at = places_of(p, line, s);

            if (p->nan_passes)
                keep_maxima_or_nan(&at, x, most, place);
            else
                keep_maxima(&at, x, most, place);
        }
    for (int q = 0; q < p->y[2] && !p->nan_passes; q++)
        most[q] = isnan(most[q]) ? -INFINITY : most[q];
}

DNN_LOOP
static void add_from(const struct places *at, const double *x, double *y)
{
    for (int q = at->q.from; q < at->q.to; q++)
        y[q] += x[at->begin + q * at->stride];
}

DNN_LOOP
static void add_to(const struct places *at, const double *y, double *x)
{
    for (int q = at->q.from; q < at->q.to; q++)
        x[at->begin + q * at->stride] += y[q];
}

/* Divide each window's number by its places. */
static void divide(const struct dnn_pool *p, const struct row *r,
                   const double *from, double *to)
{
    const int lines = length(r->planes) * length(r->lines);

    for (int q = 0; q < p->y[2]; q++) {
        const int places = lines * length(covered(p, 2, q));
        const int all = p->window[0] * p->window[1] * p->window[2];

        to[q] = from[q] / (p->padding ? all : places ? places : 1);
    }
}

static void averages(const struct dnn_pool *p, const struct row *r,
                     const double *x, double *y)
{
    for (int q = 0; q < p->y[2]; q++)
        y[q] = 0;
    EACH_LINE(p, r, line)
        for (int s = 0; s < p->window[2]; s++) {
            const struct places at = places_of(p, line, s);

            add_from(&at, x, y);
        }
    divide(p, r, y, y);
}

/* Each row of y. */
#define EACH_ROW(p, r)                                                   \
    for (int i0 = 0; i0 < (p)->y[0]; i0++)                               \
        for (int i1 = 0; i1 < (p)->y[1] && (r = row_of(p, i0, i1), true); \
             i1++)

static struct row row_of(const struct dnn_pool *p, int i0, int i1)
{
    return (struct row){covered(p, 0, i0), covered(p, 1, i1),
                        ((size_t)i0 * (size_t)p->y[1] + (size_t)i1)
                            * (size_t)p->y[2]};
}

void dnn_pool_forward(const struct dnn_pool *p, const double *x, double *y,
                      double *row)
{
    struct row r;

    EACH_ROW(p, r)
        if (p->maximum)
            maxima(p, &r, x, y + r.first, row);
        else
            averages(p, &r, x, y + r.first);
}

/* A window without a greatest gives to its first place. */
static void give_to_maxima(const struct dnn_pool *p, const struct row *r,
                           const double *place, const double *dy, double *dx)
{
    const size_t line = (size_t)r->planes.from * (size_t)p->x[1]
                        + (size_t)r->lines.from;

    if (!length(r->planes) || !length(r->lines))
        return;
    for (int q = 0; q < p->y[2]; q++) {
        const struct range columns = covered(p, 2, q);

        if (place[q] >= 0)
            dx[(size_t)place[q]] += dy[q];
        else if (length(columns))
            dx[line * (size_t)p->x[2] + (size_t)columns.from] += dy[q];
    }
}

static void give_to_all(const struct dnn_pool *p, const struct row *r,
                        const double *share, double *dx)
{
    EACH_LINE(p, r, line)
        for (int s = p->window[2] - 1; s >= 0; s--) {
            const struct places at = places_of(p, line, s);

            add_to(&at, share, dx);
        }
}

void dnn_pool_backward(const struct dnn_pool *p, const double *x,
                       const double *dy, double *dx, double *row)
{
    double *const most = row + p->y[2];
    struct row r;

    EACH_ROW(p, r)
        if (p->maximum) {
            maxima(p, &r, x, most, row);
            give_to_maxima(p, &r, row, dy + r.first, dx);
        } else {
            divide(p, &r, dy + r.first, row);
            give_to_all(p, &r, row, dx);
        }
}

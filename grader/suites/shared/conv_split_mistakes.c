/* SPDX-License-Identifier: MIT */
/* A usual mistake of lab 11: the index of a thread's element is divided by the
 * rows of its plane where it should be by the columns. */
#include "conv_mistakes.h"

/* The planes of an element of the result: its first two indices. */
struct planes {
    int first, second;
};

/* Sums of the products of one plane with another one. */
static double sum_of_windows(const struct conv_shape *g, const float *x,
                             const float *y, int r, int s)
{
    double sum = 0;

    for (int p = 0; p < conv_output_rows(g); p++)
        for (int q = 0; q < conv_output_columns(g); q++) {
            const int u = p * g->stride + r - g->pad;
            const int v = q * g->stride + s - g->pad;

            if (u >= 0 && u < g->h && v >= 0 && v < g->w)
                sum += (double)x[u * g->w + v]
                       * y[p * conv_output_columns(g) + q];
        }
    return sum;
}

static double sum_of_taps(const struct conv_shape *g, const float *w,
                          const float *x, int p, int q)
{
    double sum = 0;

    for (int r = 0; r < g->r; r++)
        for (int s = 0; s < g->s; s++) {
            const int u = p * g->stride + r - g->pad;
            const int v = q * g->stride + s - g->pad;

            if (u >= 0 && u < g->h && v >= 0 && v < g->w)
                sum += (double)w[r * g->s + s] * x[u * g->w + v];
        }
    return sum;
}

static double sum_backward(const struct conv_shape *g, const float *w,
                           const float *y, int u, int v)
{
    double sum = 0;

    for (int r = 0; r < g->r; r++)
        for (int s = 0; s < g->s; s++) {
            const int up = u + g->pad - r, left = v + g->pad - s;
            const int p = up / g->stride, q = left / g->stride;

            if (up >= 0 && left >= 0 && up % g->stride == 0
                && left % g->stride == 0 && p < conv_output_rows(g)
                && q < conv_output_columns(g))
                sum += (double)w[r * g->s + s]
                       * y[p * conv_output_columns(g) + q];
        }
    return sum;
}

/* The element of the result at any row and column. */
static double element_at(const struct conv_call *call, struct planes at,
                         int row, int column)
{
    const struct conv_shape *g = call->shape;
    const float *x = call->operands[CONV_X], *w = call->operands[CONV_W],
                *y = call->operands[CONV_Y];
    const size_t in_x = conv_plane_size(g, CONV_X),
                 in_w = conv_plane_size(g, CONV_W),
                 in_y = conv_plane_size(g, CONV_Y);
    const size_t a = (size_t)at.first, b = (size_t)at.second;
    double sum = 0;

    for (size_t c = 0; call->result == CONV_Y && c < (size_t)g->c; c++)
        sum += sum_of_taps(g, w + (b * g->c + c) * in_w,
                           x + (a * g->c + c) * in_x, row, column);
    for (size_t k = 0; call->result == CONV_X && k < (size_t)g->k; k++)
        sum += sum_backward(g, w + (k * g->c + b) * in_w,
                            y + (a * g->k + k) * in_y, row, column);
    for (size_t n = 0; call->result == CONV_W && n < (size_t)g->n; n++)
        sum += sum_of_windows(g, x + (n * g->c + b) * in_x,
                              y + (n * g->k + a) * in_y, row, column);
    return sum;
}

void conv_split_mistakes(struct hypotheses *h, const struct conv_call *call)
{
    static const char *const hints[CONV_ARRAYS] = {
        [CONV_X] = "Element i of a plane of x is in column i % w and row "
                   "i / w % h.",
        [CONV_W] = "Element i of a filter is in column i % s and row i / s % "
                   "r.",
        [CONV_Y] = "Element i of a plane of y is in column i % q and row i / q "
                   "% p, with p rows of q columns."};
    const struct conv_shape *g = call->shape;
    const int rows = call->result == CONV_Y   ? conv_output_rows(g)
                     : call->result == CONV_X ? g->h : g->r;
    const int columns = call->result == CONV_Y   ? conv_output_columns(g)
                        : call->result == CONV_X ? g->w : g->s;
    const int second = call->result == CONV_Y ? g->k : g->c;
    const size_t plane = (size_t)rows * (size_t)columns;
    double *values = hypothesis_values(h);

    if (rows == columns || rows == 1 || columns == 1)
        return;
    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const struct planes at = {(int)(i / plane) / second,
                                  (int)(i / plane) % second};
        const int in_plane = (int)(i % plane);

        values[i] = element_at(call, at, in_plane / rows, in_plane % rows);
    }
    hypothesis_try(h, hints[call->result], "that of another row and column: "
                   "an index was divided by the %d rows of a plane, should be "
                   "by its %d columns", rows, columns);
}

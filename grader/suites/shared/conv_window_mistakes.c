/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 11, backward: windows that are none of y's. */
#include <math.h>
#include <stdbool.h>

#include "conv_mistakes.h"

/* Element of y's gradient; NAN past its end. */
static double y_at(const struct conv_call *call, size_t plane, int p, int q)
{
    const struct conv_shape *g = call->shape;
    const size_t i = (plane * conv_output_rows(g) + p)
                         * conv_output_columns(g) + q;

    return i < conv_array_size(g, CONV_Y) ? (double)call->operands[CONV_Y][i]
                                          : NAN;
}

/* Element of the matrix of products [n][c][r][s][p][q] that col2im sums, where
 * the window may be past the last one: then one of another tap. */
static double product_at(const struct conv_call *call,
                         const struct conv_place *t)
{
    const struct conv_shape *g = call->shape;
    const size_t columns = conv_output_columns(g);
    const size_t plane = conv_plane_size(g, CONV_Y);
    const size_t taps = (size_t)g->r * g->s;
    const size_t i = (((size_t)t->n * g->c + t->c) * taps
                      + (size_t)t->r * g->s + t->s) * plane
                     + t->p * columns + t->q;
    const size_t tap = i / plane % taps, c = i / plane / taps % g->c;
    const size_t n = i / plane / taps / g->c;
    double sum = 0;

    if (n >= (size_t)g->n)
        return NAN;
    for (size_t k = 0; k < (size_t)g->k; k++)
        sum += (double)call->operands[CONV_W][(k * g->c + c) * taps + tap]
               * y_at(call, n * g->k + k, (int)(i % plane / columns),
                      (int)(i % columns));
    return sum;
}

/* The terms a window past the last one adds to an element of x's gradient. */
static double past_term(const struct conv_call *call,
                        const struct conv_place *t, bool is_matrix)
{
    const struct conv_shape *g = call->shape;
    double sum = 0;

    if (is_matrix)
        return product_at(call, t);
    for (int k = 0; k < g->k; k++)
        sum += (double)call->operands[CONV_W][(((size_t)k * g->c + t->c) * g->r
                                               + t->r) * g->s + t->s]
               * y_at(call, (size_t)t->n * g->k + k, t->p, t->q);
    return sum;
}

/* Terms of windows past the last one for the pixel (u, v). */
static double past_terms(const struct conv_call *call, struct conv_place t,
                         int u, int v, const bool past[2], bool is_matrix)
{
    const struct conv_shape *g = call->shape;
    double sum = 0;

    for (t.r = 0; t.r < g->r; t.r++)
        for (t.s = 0; t.s < g->s; t.s++) {
            const int up = u + g->pad - t.r, left = v + g->pad - t.s;
            bool is_below, is_right;

            if (up < 0 || left < 0 || up % g->stride || left % g->stride)
                continue;
            t.p = up / g->stride;
            t.q = left / g->stride;
            is_below = t.p >= conv_output_rows(g);
            is_right = t.q >= conv_output_columns(g);
            if ((is_below || is_right) && (!is_below || past[0])
                && (!is_right || past[1]))
                sum += past_term(call, &t, is_matrix);
        }
    return sum;
}

/* The sum over the windows of pixel (u, v) whose first row or column is rounded
 * down where the stride does not divide it. */
static double rounded_terms(const struct conv_call *call, struct conv_place t,
                            int u, int v, int which)
{
    const struct conv_shape *g = call->shape;
    double sum = 0;

    for (t.r = 0; t.r < g->r; t.r++)
        for (t.s = 0; t.s < g->s; t.s++) {
            const int up = u + g->pad - t.r, left = v + g->pad - t.s;

            t.p = up / g->stride;
            t.q = left / g->stride;
            if (up >= 0 && left >= 0 && t.p < conv_output_rows(g)
                && t.q < conv_output_columns(g)
                && (which != 1 || up % g->stride == 0)
                && (which != 0 || left % g->stride == 0))
                sum += past_term(call, &t, false);
        }
    return sum;
}

/* The image and the channel of element i of x. */
static struct conv_place plane_of(const struct conv_shape *g, size_t i)
{
    const size_t plane = i / g->w / g->h;

    return (struct conv_place){.n = (int)(plane / g->c),
                               .c = (int)(plane % g->c)};
}

static void try_rounded_windows(struct hypotheses *h,
                                const struct conv_call *call, int which)
{
    static const char *const texts[] = {"rows", "columns", "rows and columns"};
    const struct conv_shape *g = call->shape;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const struct conv_place t = plane_of(g, i);

        values[i] = rounded_terms(call, t, (int)(i / g->w % g->h),
                                  (int)(i % g->w), which);
    }
    hypothesis_try(h, "Backward, p = (u + pad - r) / stride only if this has "
                   "no remainder.",
                   "the sum over windows whose %s are (u + pad - r) / stride, "
                   "rounded down, without a check of the remainder",
                   texts[which]);
}

static void try_past_windows(struct hypotheses *h, const struct conv_call *call,
                             int which, bool is_matrix)
{
    static const char *const texts[] = {
        "the sum with windows below the last row of y, too",
        "the sum with windows right of the last column of y, too",
        "the sum with windows below and right of y's last one, too"};
    const bool past[2] = {which != 1, which != 0};
    const struct conv_shape *g = call->shape;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const struct conv_place t = plane_of(g, i);
        const double more = past_terms(call, t, (int)(i / g->w % g->h),
                                       (int)(i % g->w), past, is_matrix);

        values[i] = isnan(more) ? HYPOTHESIS_ANY : values[i] + more;
    }
    hypothesis_try(h, "Backward, a window is one only if p < P and q < Q, too.",
                   "%s", texts[which]);
}

void conv_window_mistakes(struct hypotheses *h, const struct conv_call *call)
{
    const bool found = h->fits > 0;

    if (call->result != CONV_X)
        return;
    for (int which = 0; call->shape->stride > 1 && !found && which < 3; which++)
        try_rounded_windows(h, call, which);
    for (int which = 0; which < 3; which++)
        for (int is_matrix = 0; is_matrix < 2; is_matrix++)
            try_past_windows(h, call, which, is_matrix);
}

/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 11 in its indices: partial tiles and groups of images,
 * other orders of w, windows past the last one. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "conv_mistakes.h"

/* A sum with some of its terms, or of a w in another order. */
struct variation {
    size_t tile;      /* terms after the last whole one are lost; 0: none */
    bool is_implicit; /* the matrix product is one over all taps, or images */
    int first_image;  /* of those that are summed */
    bool is_even;     /* only terms with an even number */
    enum { KCRS, KCSR, KRSC, RSCK } order;
};

/* A position in all three arrays. */
struct place {
    int n, c, k, p, q, r, s;
};

static size_t w_index(const struct conv_shape *g, const struct place *t,
                      int order)
{
    const size_t k = (size_t)t->k, c = (size_t)t->c;
    const size_t tap = (size_t)t->r * g->s + t->s;

    switch (order) {
    case KCSR:
        return (k * g->c + c) * g->r * g->s + (size_t)t->s * g->r + t->r;
    case KRSC:
        return (k * g->r * g->s + tap) * g->c + c;
    case RSCK:
        return (tap * g->c + c) * g->k + k;
    default:
        return (k * g->c + c) * g->r * g->s + tap;
    }
}

/* Number of the term in its matrix product, and how many there are. */
static size_t term_number(const struct conv_call *call, const struct place *t,
                          bool is_implicit, size_t *count)
{
    const struct conv_shape *g = call->shape;
    const size_t taps = (size_t)g->r * g->s, tap = (size_t)t->r * g->s + t->s;
    const size_t plane = conv_plane_size(g, CONV_Y);
    const size_t window = (size_t)t->p * conv_output_columns(g) + t->q;

    if (call->result == CONV_Y) {
        *count = g->c * taps;
        return t->c * taps + tap;
    }
    if (call->result == CONV_X) {
        *count = g->k * (is_implicit ? taps : 1);
        return is_implicit ? t->k * taps + tap : (size_t)t->k;
    }
    *count = plane * (size_t)(is_implicit ? g->n : 1);
    return is_implicit ? t->n * plane + window : window;
}

static bool has_term(const struct conv_call *call, const struct variation *v,
                     const struct place *t)
{
    size_t count, number = term_number(call, t, v->is_implicit, &count);

    return t->n >= v->first_image && !(v->is_even && number % 2)
           && (v->tile == 0 || number < count / v->tile * v->tile);
}

static void add_term(const struct conv_call *call, const struct variation *v,
                     const struct place *t, double *sum)
{
    const struct conv_shape *g = call->shape;
    const float *const *a = call->operands;
    const int u = t->p * g->stride + t->r - g->pad;
    const int column = t->q * g->stride + t->s - g->pad;
    const size_t w = w_index(g, t, v->order);
    size_t x, y;

    if (u < 0 || u >= g->h || column < 0 || column >= g->w)
        return;
    x = (((size_t)t->n * g->c + t->c) * g->h + u) * g->w + column;
    y = (((size_t)t->n * g->k + t->k) * conv_output_rows(g) + t->p)
            * conv_output_columns(g) + t->q;
    if (call->result == CONV_Y)
        sum[y] += (double)a[CONV_X][x] * a[CONV_W][w];
    else if (call->result == CONV_X)
        sum[x] += (double)a[CONV_W][w] * a[CONV_Y][y];
    else
        sum[w] += (double)a[CONV_X][x] * a[CONV_Y][y];
}

/* All terms that the variation has. */
static void try_sum(struct hypotheses *h, const struct conv_call *call,
                    const struct variation *v, const char *hint,
                    const char *text)
{
    const struct conv_shape *g = call->shape;
    const int taps = g->r * g->s, columns = conv_output_columns(g);
    const int windows = conv_output_rows(g) * columns;
    double *sum = hypothesis_values(h);

    memset(sum, 0, hypothesis_count(h) * sizeof *sum);
    for (size_t i = 0; i < (size_t)g->n * g->k * g->c * windows * taps; i++) {
        const size_t planes = i / ((size_t)windows * taps);
        const int window = (int)(i / taps % windows), tap = (int)(i % taps);
        const struct place t = {
            .n = (int)(planes / g->c / g->k), .c = (int)(planes % g->c),
            .k = (int)(planes / g->c % g->k), .p = window / columns,
            .q = window % columns, .r = tap / g->s, .s = tap % g->s};

        if (has_term(call, v, &t))
            add_term(call, v, &t, sum);
    }
    hypothesis_try(h, hint, "%s", text);
}

static void try_orders(struct hypotheses *h, const struct conv_call *call)
{
    static const char hint[] = "w is [k][c][r][s]: its taps are the last "
                               "index, row by row, in x's matrix, too.";
    const struct conv_shape *g = call->shape;

    if (g->r > 1 && g->s > 1 && g->r != g->s) /* else it is the transpose */
        try_sum(h, call, &(struct variation){.order = KCSR}, hint,
                "the sum with the taps column by column: w as [k][c][s][r]");
    if (g->r * g->s > 1 && g->c > 1)
        try_sum(h, call, &(struct variation){.order = KRSC}, hint,
                "the sum with the channel as last index: w as [k][r][s][c]");
    if (g->k * g->c > 1)
        try_sum(h, call, &(struct variation){.order = RSCK}, hint,
                "the sum with the filter as last index: w as [r][s][c][k]");
}

/* The smallest tile that fits: larger ones may do the same here. */
static void try_tails(struct hypotheses *h, const struct conv_call *call,
                      bool is_implicit)
{
    const size_t fits = h->fits;
    const struct place first = {0};
    size_t count;

    term_number(call, &first, is_implicit, &count);
    for (size_t tile = 4; tile <= 64 && h->fits == fits; tile *= 2)
        if (count > tile && count % tile)
            try_sum(h, call, &(struct variation){.tile = tile,
                                                 .is_implicit = is_implicit},
                    "The last tile of the matrix product's sum is partial: its "
                    "terms count as well.",
                    "the sum without the terms after the last whole tile of "
                    "the matrix product");
}

/* Images are taken in groups, and each group's sum replaces the one before. */
static void try_groups(struct hypotheses *h, const struct conv_call *call)
{
    const int last = call->shape->n - 1;

    for (int group = 2; group <= last && group <= 128; group++) {
        const size_t fits = h->fits;

        if (last % group == 0)
            continue; /* the last image alone: another mistake's name */
        try_sum(h, call, &(struct variation){
                    .first_image = last / group * group},
                "Later images add to the gradient of the first ones: only the "
                "first group of images may overwrite it.",
                "the sum over the last group of images only: it replaces that "
                "of the groups before");
        if (h->fits != fits)
            return;
    }
}

/* A block's tree whose last round is lost leaves the terms of its threads with
 * an odd index. */
static void try_lost_round(struct hypotheses *h, const struct conv_call *call)
{
    for (int is_implicit = 0; is_implicit < 2; is_implicit++)
        try_sum(h, call, &(struct variation){.is_implicit = is_implicit,
                                             .is_even = true},
                "The last round of a tree adds the sums of thread 1 to those "
                "of thread 0: it ends at a half of 1, not of 2.",
                "the sum over every second pixel, as by a block's tree without "
                "its last round");
}

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
static double product_at(const struct conv_call *call, const struct place *t)
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
static double past_term(const struct conv_call *call, const struct place *t,
                        bool is_matrix)
{
    const struct conv_shape *g = call->shape;
    double sum = 0;

    if (is_matrix)
        return product_at(call, t);
    for (int k = 0; k < g->k; k++) {
        struct place at = *t;

        at.k = k;
        sum += (double)call->operands[CONV_W][w_index(g, &at, KCRS)]
               * y_at(call, (size_t)t->n * g->k + k, t->p, t->q);
    }
    return sum;
}

/* Terms of windows past the last one for the pixel (u, v). */
static double past_terms(const struct conv_call *call, struct place t, int u,
                         int v, const bool past[2], bool is_matrix)
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
static double rounded_terms(const struct conv_call *call, struct place t,
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
static struct place plane_of(const struct conv_shape *g, size_t i)
{
    const size_t plane = i / g->w / g->h;

    return (struct place){.n = (int)(plane / g->c), .c = (int)(plane % g->c)};
}

static void try_rounded_windows(struct hypotheses *h,
                                const struct conv_call *call, int which)
{
    static const char *const texts[] = {"rows", "columns", "rows and columns"};
    const struct conv_shape *g = call->shape;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const struct place t = plane_of(g, i);

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
        const struct place t = plane_of(g, i);
        const double more = past_terms(call, t, (int)(i / g->w % g->h),
                                       (int)(i % g->w), past, is_matrix);

        values[i] = isnan(more) ? HYPOTHESIS_ANY : values[i] + more;
    }
    hypothesis_try(h, "Backward, a window is one only if p < P and q < Q, too.",
                   "%s", texts[which]);
}

void conv_index_mistakes(struct hypotheses *h, const struct conv_call *call)
{
    const size_t fits = h->fits;

    try_orders(h, call);
    try_tails(h, call, false);
    if (call->result != CONV_Y && h->fits == fits)
        try_tails(h, call, true);
    if (call->result == CONV_W && h->fits == fits)
        try_groups(h, call);
    if (call->result == CONV_W && h->fits == fits)
        try_lost_round(h, call);
    for (int which = 0; call->result == CONV_X && call->shape->stride > 1
                        && !fits && which < 3; which++)
        try_rounded_windows(h, call, which);
    for (int which = 0; call->result == CONV_X && which < 3; which++)
        for (int is_matrix = 0; is_matrix < 2; is_matrix++)
            try_past_windows(h, call, which, is_matrix);
}

/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 11: windows that lie elsewhere, sums without some
 * terms. */
#include "conv_mistakes.h"

#include <stdbool.h>
#include <string.h>

#include "grader/suite/suite.h"

/* Products for one mistake: all of them must not take seconds. */
static const double max_products = 1 << 22;
static const double bits_of_set = 8; /* of evidence; no more are counted */

/* A convolution with something wrong in it. */
struct conv_mistake {
    const char *text, *hint;
    bool flip, transpose;         /* the filter */
    bool channels_first;          /* w as [c][k] */
    bool mean;                    /* divided by n */
    bool no_pad, pad_twice, pad_added, no_row_pad, no_column_pad;
    bool no_stride, no_row_stride, no_column_stride, stride_twice;
    bool same_image; /* read for all of them */
    bool first_image, last_image, first_channel, first_filter;
    bool last_channel, last_filter;
    bool even_channels, even_filters;
    bool no_last_row, no_last_column; /* of the filter */
    bool short_image;    /* x ends where the padding on its right would */
    bool wrap, clamp, run_on;         /* pixels outside of the image */
    bool other_side;     /* windows that extend up and to the left */
    bool any_remainder;  /* backward, rows that the stride does not reach */
    bool truncates;      /* quotients of negative numbers are 0 */
    bool columns_by_r, rows_by_s; /* moved by the filter's other side */
    bool any_padding;    /* any values in place of the padding's zeros */
};

static const char window_hint[] =
    "Window (p, q) starts at row p * stride - pad and column q * stride - pad; "
    "tap (r, s) multiplies the pixel r rows and s columns further.";
static const char side_hint[] =
    "The windows of the rotated filter begin r - 1 - pad rows further up and "
    "s - 1 - pad columns further left: each by its own side of the filter.";
static const char sum_hint[] = "Which indices does the sum run over?";

static const struct conv_mistake list[] = {
    {"the sum with the filter flipped", window_hint, .flip = true},
    {"the sum with the filter transposed", window_hint, .transpose = true},
    {"the sum with w read as [c][k][r][s]", "w is [k][c][r][s]: the filter "
     "comes first, then the channel.", .channels_first = true},
    {"the sum divided by the number of images", "The gradient of the filters "
     "is a sum over the images; the mean is part of the loss.", .mean = true},
    {"the sum with windows that are not moved by the padding", window_hint,
     .no_pad = true},
    {"the sum with columns that are not moved by the padding", window_hint,
     .no_column_pad = true},
    {"the sum with rows that are not moved by the padding", window_hint,
     .no_row_pad = true},
    {"the sum with windows that are moved by + pad, not - pad", window_hint,
     .pad_added = true},
    {"the sum with columns that are moved by r - 1 - pad, not s - 1 - pad",
     side_hint, .columns_by_r = true},
    {"the sum with rows that are moved by s - 1 - pad, not r - 1 - pad",
     side_hint, .rows_by_s = true},
    {"the sum with twice the padding", window_hint, .pad_twice = true},
    {"the sum with stride 1", window_hint, .no_stride = true},
    {"the sum with the square of the stride: multiplied twice", window_hint,
     .stride_twice = true},
    {"the sum with stride 1 between rows", window_hint, .no_row_stride = true},
    {"the sum with stride 1 between columns", window_hint,
     .no_column_stride = true},
    {"computed from the first image", "Image n of x begins at n * c * h * w, "
     "and that of y at n * k * p * q.", .same_image = true},
    {"the sum over the first image only", sum_hint, .first_image = true},
    {"the sum over the last image only", sum_hint, .last_image = true},
    {"the sum over the first channel only", sum_hint, .first_channel = true},
    {"the sum over the first filter only", sum_hint, .first_filter = true},
    {"the sum over the last channel only", sum_hint, .last_channel = true},
    {"the sum over the last filter only", sum_hint, .last_filter = true},
    {"the sum over every second channel", sum_hint, .even_channels = true},
    {"the sum over every second filter", sum_hint, .even_filters = true},
    {"the sum without the last row of the filter", sum_hint,
     .no_last_row = true},
    {"the sum without the last column of the filter", sum_hint,
     .no_last_column = true},
    {"the sum without the last pad rows and columns of x", "All h rows and w "
     "columns of x count: the padding lies outside of them, on each side.",
     .short_image = true},
    {"the sum with pixels of the opposite edge in the padding",
     "The padding is 0.", .wrap = true},
    {"the sum with the nearest pixel in the padding", "The padding is 0.",
     .clamp = true},
    {"the sum with pixels of the next or previous row beyond the left and "
     "right edges", "The padding is 0 at the sides, too: check the column.",
     .run_on = true},
    {"the sum with u - pad + r for u + pad - r", "x[u][v] was multiplied by "
     "tap (r, s) in the window (u + pad - r, v + pad - s), if that is a "
     "window.", .other_side = true},
    {"the sum with windows between the strides, too", "Backward, u + pad - r "
     "must be a multiple of the stride.", .any_remainder = true},
    {"the sum with windows between the strides, too, and at -1 / 2 = 0",
     "Backward, u + pad - r must be a multiple of the stride, and not "
     "negative: integer division rounds towards 0.", .any_remainder = true,
     .truncates = true},
    {"the sum with windows at -1 / 2 = 0, too", "Backward, u + pad - r must "
     "not be negative: integer division rounds towards 0.", .truncates = true},
    {"one whose sum has pixels of the padding, and no other element is wrong",
     "The padding is 0. Where a copy of the image is made: does it store these "
     "zeros, too, in each call? Else: does a tap that is skipped skip its own "
     "filter element, too?",
     .any_padding = true},
};

/* A position in all three arrays. */
struct term {
    int n, c, k, p, q, r, s;
};

/* A row or column of x; outside of it -1. */
static int pixel(int at, int count, int pad, const struct conv_mistake *m)
{
    if (m->short_image)
        count -= pad;
    if (m->wrap)
        return (at % count + count) % count;
    if (m->clamp)
        at = at < 0 ? 0 : at < count ? at : count - 1;
    return at >= 0 && at < count ? at : -1;
}

/* Does the sum have this term? */
static bool has_term(const struct conv_shape *g, enum conv_array result,
                     const struct conv_mistake *m, const struct term *t)
{
    if (result == CONV_W
        && ((m->first_image && t->n > 0) || (m->last_image && t->n + 1 < g->n)))
        return false;
    if (result == CONV_Y
        && ((m->first_channel && t->c > 0) || (m->even_channels && t->c % 2)
            || (m->last_channel && t->c + 1 < g->c)))
        return false;
    if (result == CONV_X
        && ((m->first_filter && t->k > 0) || (m->even_filters && t->k % 2)
            || (m->last_filter && t->k + 1 < g->k)))
        return false;
    return !(result != CONV_W
             && ((m->no_last_row && t->r == g->r - 1)
                 || (m->no_last_column && t->s == g->s - 1)));
}

/* The term's sum may be anything.  A number added to it later does not
 * change it. */
static void leave_open(const struct conv_call *call, const struct term *t,
                       double *sum)
{
    const struct conv_shape *g = call->shape;

    if (call->result == CONV_Y)
        sum[(((size_t)t->n * g->k + t->k) * conv_output_rows(g) + t->p)
            * conv_output_columns(g) + t->q] = HYPOTHESIS_ANY;
    else if (call->result == CONV_W)
        sum[(((size_t)t->k * g->c + t->c) * g->r + t->r) * g->s + t->s] =
            HYPOTHESIS_ANY;
}

/* Number of the plane of w. */
static size_t filter_plane(const struct conv_shape *g,
                           const struct conv_mistake *m, const struct term *t)
{
    return m->channels_first ? (size_t)t->c * g->k + t->k
                             : (size_t)t->k * g->c + t->c;
}

/* Adds one term of the definition. */
static void add_term(const struct conv_call *call,
                     const struct conv_mistake *m, const struct term *t,
                     int row_remainder, int column_remainder, double *sum)
{
    const struct conv_shape *g = call->shape;
    const int stride = m->stride_twice ? g->stride * g->stride : g->stride;
    const int rows = m->no_stride || m->no_row_stride ? 1 : stride;
    const int columns = m->no_stride || m->no_column_stride ? 1 : stride;
    const int pad = m->no_pad      ? 0
                    : m->pad_twice ? 2 * g->pad
                    : m->pad_added ? -g->pad : g->pad;
    const int above = m->no_row_pad ? 0
                      : m->rows_by_s ? pad + g->r - g->s : pad;
    const int left = m->no_column_pad  ? 0
                     : m->columns_by_r ? pad + g->s - g->r : pad;
    const int down = m->other_side ? above - t->r : t->r - above;
    const int right = m->other_side ? left - t->s : t->s - left;
    const int u = pixel(t->p * rows + down + row_remainder, g->h,
                        g->pad, m);
    const int column = t->q * columns + right + column_remainder;
    const int v = m->run_on ? column : pixel(column, g->w, g->pad, m);
    const int r = m->flip ? g->r - 1 - t->r : m->transpose ? t->s : t->r;
    const int s = m->flip ? g->s - 1 - t->s : m->transpose ? t->r : t->s;
    const float *const *a = call->operands;
    const size_t image = (size_t)(m->same_image ? 0 : t->n);
    size_t x, w, y;

    if (m->any_padding && (u < 0 || v < 0)) {
        leave_open(call, t, sum);
        return;
    }
    if (u < 0 || (v < 0 && !m->run_on) || r >= g->r || s >= g->s)
        return;
    x = (((call->result == CONV_X ? (size_t)t->n : image) * g->c + t->c) * g->h
         + u) * g->w + (size_t)v;
    if (x >= conv_array_size(g, CONV_X)) { /* outside of the array: anything */
        if (m->run_on)
            leave_open(call, t, sum);
        return;
    }
    w = (filter_plane(g, m, t) * g->r + r) * g->s + s;
    y = (((call->result == CONV_Y ? (size_t)t->n : image) * g->k + t->k)
             * conv_output_rows(g) + t->p) * conv_output_columns(g) + t->q;
    if (call->result == CONV_Y)
        sum[y] += (double)a[CONV_X][x] * a[CONV_W][w];
    else if (call->result == CONV_X)
        sum[x] += (double)a[CONV_W][w] * a[CONV_Y][y];
    else
        sum[w] += (double)a[CONV_X][x] * a[CONV_Y][y];
}

/* The term where its window is, or wherever a division by the stride that
 * leaves a remainder takes it to be. */
static void add_terms(const struct conv_call *call,
                      const struct conv_mistake *m, const struct term *t,
                      double *sum)
{
    const int others = call->shape->stride - 1;
    const int most = m->any_remainder ? others : 0;
    const int first_row = m->truncates && t->p == 0 ? -others : 0;
    const int first_column = m->truncates && t->q == 0 ? -others : 0;

    for (int row = first_row; row <= most; row++)
        for (int column = first_column; column <= most; column++)
            add_term(call, m, t, row, column, sum);
}

/* All terms of the convolution. */
static void sum_terms(const struct conv_call *call,
                      const struct conv_mistake *m, double *sum)
{
    const struct conv_shape *g = call->shape;
    const int taps = g->r * g->s, columns = conv_output_columns(g);
    const int windows = conv_output_rows(g) * columns;

    for (size_t i = 0; i < (size_t)g->n * g->k * g->c * windows * taps; i++) {
        const size_t planes = i / ((size_t)windows * taps);
        const int window = (int)(i / taps % windows), tap = (int)(i % taps);
        const struct term t = {
            .n = (int)(planes / g->c / g->k), .c = (int)(planes % g->c),
            .k = (int)(planes / g->c % g->k), .p = window / columns,
            .q = window % columns, .r = tap / g->s, .s = tap % g->s};

        if (has_term(g, call->result, m, &t))
            add_terms(call, m, &t, sum);
    }
}

/* A plane of image n and channel c is that of image c and channel n. */
static void try_exchanged_planes(struct hypotheses *h,
                                 const struct conv_call *call)
{
    const struct conv_shape *g = call->shape;
    const size_t channels = (size_t)(call->result == CONV_X ? g->c : g->k);
    const size_t images = (size_t)g->n;
    const size_t plane = hypothesis_count(h) / channels / images;
    double *values = hypothesis_values(h);
    double *right = suite_doubles(hypothesis_count(h));

    memcpy(right, values, hypothesis_count(h) * sizeof *right);
    for (size_t i = 0; i < channels * images; i++)
        memcpy(values + i * plane,
               right + (i % images * channels + i / images) * plane,
               plane * sizeof *values);
    hypothesis_try(h, "The index of an element is ((n * channels + c) * rows + "
                   "row) * columns + column.", "that of the image and the "
                   "channel exchanged: [c][n], not [n][c]");
}

/* Are most elements wrong whose values the mistake leaves open?  Some stale
 * values are too small to show; but a lost last column is no padding. */
static bool most_open_are_wrong(const struct hypotheses *h)
{
    size_t open = 0;

    for (size_t i = 0; i < hypothesis_count(h); i++)
        open += h->values[i] == HYPOTHESIS_ANY;
    return 3 * h->evidence->comparison->wrong >= 2 * open;
}

/* Compare with the mistake's values.  Which elements are wrong is all that is
 * known where values are open: it counts if nothing else explains them. */
static void try_mistake(struct hypotheses *h, const struct conv_mistake *m)
{
    const double needed = h->needed;

    if (m->any_padding && (h->fits || !most_open_are_wrong(h)))
        return;
    if (m->any_padding)
        h->needed = bits_of_set;
    hypothesis_try(h, m->hint, "%s", m->text);
    h->needed = needed;
}

/* The filters of the first call, then those of two calls in turn, and the
 * number of calls. */
enum { MOST_FILTER_FLOATS = 4096 };
static float *kept_filters(void)
{
    static const char key;

    return suite_kept_floats(&key, 3 * MOST_FILTER_FLOATS + 1);
}

/* Where those of a call are kept. */
static float *filters_of_call(size_t call)
{
    return kept_filters() + (call ? 1 + call % 2 : 0) * MOST_FILTER_FLOATS;
}

void conv_keep_filters(const struct conv_shape *shape, const float *w)
{
    const size_t size = conv_array_size(shape, CONV_W);
    const size_t call = (size_t)kept_filters()[3 * MOST_FILTER_FLOATS]++;
    float *place = filters_of_call(call);

    for (size_t i = 0; i < MOST_FILTER_FLOATS; i++)
        place[i] = i < size ? w[i] : 0;
}

/* The filters of an earlier call; they may have had another shape. */
static void try_earlier_filters(struct hypotheses *h,
                                const struct conv_call *call)
{
    const size_t calls = (size_t)kept_filters()[3 * MOST_FILTER_FLOATS];
    const float *operands[CONV_ARRAYS];

    if (conv_array_size(call->shape, CONV_W) > MOST_FILTER_FLOATS)
        return;
    memcpy(operands, call->operands, sizeof operands);
    for (size_t earlier = 0; earlier + 1 < calls;
         earlier += earlier ? calls : calls > 2 ? calls - 2 : calls) {
        operands[CONV_W] = filters_of_call(earlier);
        conv_reference(call->shape, call->result, operands,
                       hypothesis_values(h));
        hypothesis_try(h, "Does each call use its own filters, or a copy that "
                       "an earlier call has made?",
                       "the sum with the filters of the %s",
                       earlier ? "call before" : "first call");
    }
}

void conv_mistakes(struct hypotheses *h, const void *context)
{
    const struct conv_call *call = context;
    const struct conv_shape *g = call->shape;

    if ((double)g->n * g->k * g->c * g->r * g->s * conv_output_rows(g)
            * conv_output_columns(g) > max_products)
        return;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        double *values = hypothesis_values(h);

        if ((list[k].transpose && g->r != g->s)
            || ((list[k].columns_by_r || list[k].rows_by_s)
                && (call->result != CONV_X || g->r == g->s))
            || ((list[k].run_on || list[k].any_padding)
                && call->result == CONV_X))
            continue;
        memset(values, 0, hypothesis_count(h) * sizeof *values);
        sum_terms(call, &list[k], values);
        for (size_t i = 0; list[k].mean && i < hypothesis_count(h); i++)
            values[i] /= g->n;
        try_mistake(h, &list[k]);
    }
    conv_index_mistakes(h, call);
    conv_window_mistakes(h, call);
    if (!h->fits)
        conv_address_mistakes(h, call);
    if (!h->fits)
        conv_split_mistakes(h, call);
    if (call->result != CONV_W && g->n > 1)
        try_exchanged_planes(h, call);
    if (call->result != CONV_W)
        try_earlier_filters(h, call);
}

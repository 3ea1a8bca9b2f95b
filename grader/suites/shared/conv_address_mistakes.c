/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 11 in addresses: an array is read as if one of its
 * sizes were another one. */
#include <math.h>
#include <string.h>

#include "conv_mistakes.h"

/* What is wrong in the address of an element that is read. */
enum address {
    X_ROWS,    /* the row stride of x is its height */
    X_IMAGES,  /* an image of x has one channel */
    W_FILTERS, /* a filter has one channel */
    Y_ROWS,    /* the row stride of y is its number of rows */
    Y_IMAGES,  /* an image of y has one channel */
    Y_SIDES,   /* windows p below y's columns, q below its rows */
    TAP_LOOPS, /* loops over s rows and r columns of a filter */
    TAP_SPLIT, /* the number of a tap is divided by r, not by s */
    IN_GROUPS, /* images of x, or of y, from the first one again */
    ADDRESSES
};

static const struct {
    const char *text, *hint;
    enum conv_array array; /* that has it */
} list[ADDRESSES] = {
    [X_ROWS] = {"the sum with the height of x taken as its row stride",
                "A row of x has w pixels.", CONV_X},
    [X_IMAGES] = {"the sum with an image of x taken to have one channel",
                  "Image n of x begins at n * c * h * w.", CONV_X},
    [W_FILTERS] = {"the sum with a filter taken to have one channel: filter k "
                   "at k * r * s", "Filter k begins at k * c * r * s.", CONV_W},
    [Y_ROWS] = {"the sum with the number of rows of y taken as its row stride",
                "A row of y has q pixels.", CONV_Y},
    [Y_IMAGES] = {"the sum with an image of y taken to have one channel",
                  "Image n of y begins at n * k * p * q.", CONV_Y},
    [Y_SIDES] = {"the sum over the windows with p below the columns of y, and "
                 "q below its rows", "Window (p, q) is one of y's if p is "
                 "below its rows and q below its columns.", CONV_Y},
    [TAP_LOOPS] = {"the sum over s rows and r columns of the filter: its sides "
                   "are exchanged", "A filter has r rows and s columns.",
                   CONV_W},
    [TAP_SPLIT] = {"the sum with pixels of x at row (tap / r), column (tap % r) "
                   "of a window, for (tap / s) and (tap % s)",
                   "A filter has s columns: tap i of its plane is in row i / s "
                   "and column i % s.", CONV_ARRAYS},
    [IN_GROUPS] = {NULL, "Each group of images begins where the one before it "
                   "ends, in both arrays.", CONV_ARRAYS},
};

/* Indices of a term. */
struct place {
    size_t n, c, k, p, q, r, s;
};

static size_t tap_number(const struct conv_shape *g, const struct place *t,
                         enum address a)
{
    return t->r * (size_t)(a == TAP_SPLIT ? g->r : g->s) + t->s;
}

/* Product of a term, NAN where an address is outside of its array. */
static double product(const struct conv_call *call, const struct place *t,
                      enum address a, size_t group, long u, long v)
{
    const struct conv_shape *g = call->shape;
    const size_t rows = (size_t)conv_output_rows(g);
    const size_t columns = (size_t)conv_output_columns(g);
    const size_t n = a == IN_GROUPS ? t->n % group : t->n;
    const size_t x_plane = n * (a == X_IMAGES ? 1 : (size_t)g->c) + t->c;
    const size_t y_plane = n * (a == Y_IMAGES ? 1 : (size_t)g->k) + t->k;
    const size_t w_plane = t->k * (a == W_FILTERS ? 1 : (size_t)g->c) + t->c;
    const size_t at[CONV_ARRAYS] = {
        [CONV_X] = x_plane * g->h * g->w
                   + (size_t)u * (a == X_ROWS ? g->h : g->w) + (size_t)v,
        [CONV_W] = w_plane * g->r * g->s + tap_number(g, t, a),
        [CONV_Y] = y_plane * rows * columns
                   + t->p * (a == Y_ROWS ? rows : columns) + t->q};
    double value = 1;

    for (int k = 0; k < CONV_ARRAYS; k++)
        if (k != (int)call->result)
            value *= at[k] < conv_array_size(g, (enum conv_array)k)
                         ? (double)call->operands[k][at[k]] : NAN;
    return value;
}

/* Index of the element of the result that has the term. */
static size_t result_index(const struct conv_call *call, const struct place *t,
                           enum address a, long u, long v)
{
    const struct conv_shape *g = call->shape;

    if (call->result == CONV_X)
        return ((t->n * g->c + t->c) * g->h + (size_t)u) * g->w + (size_t)v;
    if (call->result == CONV_W)
        return (t->k * g->c + t->c) * g->r * g->s + tap_number(g, t, a);
    return ((t->n * g->k + t->k) * conv_output_rows(g) + t->p)
               * conv_output_columns(g) + t->q;
}

/* All terms, with such addresses. */
static void sum_terms(const struct conv_call *call, enum address a,
                      size_t group, double *sum)
{
    const struct conv_shape *g = call->shape;
    const size_t taps = (size_t)g->r * g->s;
    const size_t columns = (size_t)conv_output_columns(g);
    const size_t rows = (size_t)conv_output_rows(g);
    const size_t windows = rows * columns;
    const size_t across = a == Y_SIDES ? rows : columns;

    for (size_t i = 0; i < (size_t)g->n * g->k * g->c * windows * taps; i++) {
        const size_t planes = i / (windows * taps);
        const size_t window = i / taps % windows, tap = i % taps;
        const size_t row =
            (size_t)(a == TAP_LOOPS || a == TAP_SPLIT ? g->r : g->s);
        const struct place t = {
            .n = planes / g->c / g->k, .c = planes % g->c,
            .k = planes / g->c % g->k, .p = window / across,
            .q = window % across, .r = tap / row, .s = tap % row};
        const long u = (long)(t.p * g->stride + t.r) - g->pad;
        const long v = (long)(t.q * g->stride + t.s) - g->pad;

        if (u >= 0 && u < g->h && v >= 0 && v < g->w)
            sum[result_index(call, &t, a, u, v)] +=
                product(call, &t, a, group, u, v);
    }
}

static void try_address(struct hypotheses *h, const struct conv_call *call,
                        enum address a, size_t group)
{
    double *values = hypothesis_values(h);

    memset(values, 0, hypothesis_count(h) * sizeof *values);
    sum_terms(call, a, group, values);
    for (size_t i = 0; i < hypothesis_count(h); i++)
        if (isnan(values[i]))
            values[i] = HYPOTHESIS_ANY;
    if (list[a].text)
        hypothesis_try(h, list[a].hint, "%s", list[a].text);
    else
        hypothesis_try(h, list[a].hint, "computed from image n %% %zu: from "
                       "there on, the first images are read again", group);
}

void conv_address_mistakes(struct hypotheses *h, const struct conv_call *call)
{
    const size_t planes = (size_t)(call->result == CONV_Y ? call->shape->k
                                                          : call->shape->c);
    const size_t image =
        planes * conv_plane_size(call->shape, call->result);
    const size_t group =
        call->result == CONV_W ? 0 : h->evidence->comparison->first / image;

    for (enum address a = X_ROWS; a < IN_GROUPS; a++)
        if (list[a].array != call->result)
            try_address(h, call, a, 1);
    if (group > 1)
        try_address(h, call, IN_GROUPS, group);
}

/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 11 in its indices: partial tiles and groups of images,
 * other orders of w, an index that an address lacks. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "conv_mistakes.h"

/* A sum with some of its terms, or of a w in another order. */
struct variation {
    size_t tile;      /* terms after the last whole one are lost; 0: none */
    bool is_implicit; /* the matrix product is one over all taps, or images */
    int first_image;  /* of those that are summed */
    int lost_images;  /* the last ones */
    bool is_even;     /* only terms with an even number */
    const struct lost_index *lost; /* 0 in the address of an operand; or NULL */
    enum { KCRS, KCSR, KRSC, RSCK } order;
};

/* One of the two indices of a plane, which an address does not have. */
struct lost_index {
    enum conv_array array;
    char index; /* n, c or k */
    const char *text;
};

static const struct lost_index lost_indices[] = {
    {CONV_X, 'n', "the sum with image 0 of x for every image"},
    {CONV_X, 'c', "the sum with channel 0 of x for every channel"},
    {CONV_W, 'k', "the sum with filter 0 for every filter"},
    {CONV_W, 'c', "the sum with channel 0 of a filter for every channel"},
    {CONV_Y, 'n', "the sum with image 0 of y_grad for every image"},
    {CONV_Y, 'k', "the sum with channel 0 of y_grad for every filter"},
};

static size_t w_index(const struct conv_shape *g, const struct conv_place *t,
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
static size_t term_number(const struct conv_call *call,
                          const struct conv_place *t, bool is_implicit,
                          size_t *count)
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
                     const struct conv_place *t)
{
    size_t count, number = term_number(call, t, v->is_implicit, &count);

    return t->n >= v->first_image && t->n < call->shape->n - v->lost_images
           && !(v->is_even && number % 2)
           && (v->tile == 0 || number < count / v->tile * v->tile);
}

/* The position with 0 for an index that this array's address lacks. */
static struct conv_place place_of(const struct conv_place *t,
                                  enum conv_array array,
                                  const struct lost_index *lost)
{
    const char index = lost && lost->array == array ? lost->index : 0;
    struct conv_place place = *t;

    if (index == 'n')
        place.n = 0;
    else if (index == 'c')
        place.c = 0;
    else if (index == 'k')
        place.k = 0;
    return place;
}

static void add_term(const struct conv_call *call, const struct variation *v,
                     const struct conv_place *t, double *sum)
{
    const struct conv_shape *g = call->shape;
    const float *const *a = call->operands;
    const int u = t->p * g->stride + t->r - g->pad;
    const int column = t->q * g->stride + t->s - g->pad;
    const struct conv_place of_w = place_of(t, CONV_W, v->lost),
                       of_x = place_of(t, CONV_X, v->lost),
                       of_y = place_of(t, CONV_Y, v->lost);
    const size_t w = w_index(g, &of_w, v->order);
    size_t x, y;

    if (u < 0 || u >= g->h || column < 0 || column >= g->w)
        return;
    x = (((size_t)of_x.n * g->c + of_x.c) * g->h + u) * g->w + column;
    y = (((size_t)of_y.n * g->k + of_y.k) * conv_output_rows(g) + t->p)
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
        const struct conv_place t = {
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

/* An index that an operand's address lacks.  A result of the first image alone
 * is another mistake's name. */
static void try_lost_indices(struct hypotheses *h, const struct conv_call *call)
{
    const struct conv_shape *g = call->shape;

    for (size_t i = 0; i < sizeof lost_indices / sizeof *lost_indices; i++) {
        const struct lost_index *lost = &lost_indices[i];
        const int size = lost->index == 'n' ? g->n
                         : lost->index == 'c' ? g->c : g->k;

        if (lost->array != call->result && size > 1
            && (lost->index != 'n' || call->result == CONV_W))
            try_sum(h, call, &(struct variation){.lost = lost},
                    "A plane has two indices, x[n][c], w[k][c] and y[n][k]: "
                    "the address needs both.", lost->text);
    }
}

/* The smallest tile that fits: larger ones may do the same here. */
static void try_tails(struct hypotheses *h, const struct conv_call *call,
                      bool is_implicit)
{
    const size_t fits = h->fits;
    const struct conv_place first = {0};
    size_t count;

    term_number(call, &first, is_implicit, &count);
    for (size_t tile = 4; tile <= 64 && h->fits == fits; tile *= 2) {
        const bool is_one = count % tile == 1; /* of a tile, or of the loop */
        char text[64] = "the sum without its last term";

        if (!is_one)
            snprintf(text, sizeof text, "the sum of the first %zu of its %zu "
                     "terms", count / tile * tile, count);
        if (count > tile && count % tile)
            try_sum(h, call, &(struct variation){.tile = tile,
                                                 .is_implicit = is_implicit},
                    is_one ? "Does the loop over the terms end one too early, "
                             "or is a last, partial tile lost?"
                           : "Is the last, partial tile of a matrix product's "
                             "sum left out, or the sums of some threads or "
                             "lanes?",
                    text);
    }
}

/* The last images are in no part of the sum.  A tail of the matrix product that
 * begins with an image is the same. */
static void try_lost_images(struct hypotheses *h, const struct conv_call *call)
{
    enum { MOST = 32 };
    const size_t fits = h->fits;

    for (int lost = 1; lost + 1 < call->shape->n && lost <= MOST
                       && h->fits == fits; lost++) {
        char text[64] = "the sum without the last image";

        if (lost > 1)
            snprintf(text, sizeof text, "the sum without the last %d images",
                     lost);
        try_sum(h, call, &(struct variation){.lost_images = lost},
                "If images are summed in parts: is the number of images in a "
                "part, or that of parts, rounded up, and does the last part "
                "end at n?  If in tiles: the last one is partial.", text);
    }
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

void conv_index_mistakes(struct hypotheses *h, const struct conv_call *call)
{
    const size_t fits = h->fits;

    try_orders(h, call);
    try_lost_indices(h, call);
    if (call->result == CONV_W)
        try_lost_images(h, call);
    if (h->fits == fits)
        try_tails(h, call, false);
    if (call->result != CONV_Y && h->fits == fits)
        try_tails(h, call, true);
    if (call->result == CONV_W && h->fits == fits)
        try_groups(h, call);
    if (call->result == CONV_W && h->fits == fits)
        try_lost_round(h, call);
}

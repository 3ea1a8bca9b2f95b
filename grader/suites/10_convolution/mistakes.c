/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 10: the filter's indices, its center, and pixels
 * outside of the image. */
#include "mistakes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "grader/suite/suite.h"

/* Operations for all mistakes, which must not take seconds. */
static const double max_products = 1 << 25;

/* A filter that is applied in another way. */
struct convolution_mistake {
    const char *text, *hint;
    bool flip_x, flip_y, transpose; /* the filter */
    bool stride_rows;               /* its row stride is `rows` */
    bool stride_most;               /* or that of the largest filter, and the
                                       memory after it is 0 */
    bool pitch_height;              /* the image's row stride is its height */
    bool center_x, center_y;        /* rows / 2 for x, columns / 2 for y */
    bool clamp_x_only, clamp_y_only;
    bool limit_x, limit_y;          /* columns end at height - 1, rows at
                                       width - 1 */
    bool past_x, past_y;            /* they end at width, and at height */
    bool row_only, column_only;     /* of the factors */
    bool normalized;                /* divided by the sum of the filter */
    enum { FLOATS, INTEGER_PRODUCTS, INTEGER_SUM } arithmetic; /* fractions
                                                                * are lost */
    const float *filter;            /* in place of the call's */
    int move_x, move_y;             /* the window; 16: it starts at the pixel */
    int skip_x, skip_y;             /* last columns and rows of the filter */
    enum { CLAMP, ZERO, CLAMP_INDEX, MIRROR, REFLECT, WRAP, UNDERFLOW } edge;
};

static const char filter_hint[] =
    "filter[v][u] multiplies in[y + v - rows / 2][x + u - columns / 2]: the "
    "filter is not flipped, its row stride is `columns`.";
static const char edge_hint[] =
    "Outside the image the nearest pixel is used: clamp both coordinates, not "
    "the index.";

static const struct convolution_mistake list[] = {
    {"the sum with 0 for the pixels beyond the edge", edge_hint, .edge = ZERO},
    {"the sum with the index clamped, not the two coordinates", edge_hint,
     .edge = CLAMP_INDEX},
    {"the sum with the image mirrored at its edge", edge_hint, .edge = MIRROR},
    {"the sum with the image mirrored at the center of its edge pixels",
     edge_hint, .edge = REFLECT},
    {"the sum with pixels of the opposite edge beyond the edge", edge_hint,
     .edge = WRAP},
    {"the sum with the last column or row for those before the first one: an "
     "unsigned coordinate below 0 is very large", "x + u - columns / 2 is "
     "negative at the edge: clamp it as an int.", .edge = UNDERFLOW},
    {"the sum with 0 for the rows beyond the edge", edge_hint,
     .clamp_x_only = true},
    {"the sum with 0 for the columns beyond the edge", edge_hint,
     .clamp_y_only = true},
    {"the sum with the filter flipped in both directions", filter_hint,
     .flip_x = true, .flip_y = true},
    {"the sum with the filter flipped left to right", filter_hint,
     .flip_x = true},
    {"the sum with the filter flipped upside down", filter_hint,
     .flip_y = true},
    {"the sum with the filter transposed", filter_hint, .transpose = true},
    {"the sum with the filter's row stride taken as its number of rows",
     filter_hint, .stride_rows = true},
    {"the sum with the filter's row stride taken as that of the largest one: "
     "rows after the first are 0",
     "The filter is copied as it is: its row stride is `columns`, also in an "
     "array with room for more.", .stride_most = true},
    {"the sum with the image's row stride taken as its height",
     "The row stride of the image is its width.", .pitch_height = true},
    {"the sum with rows / 2 for x and columns / 2 for y", filter_hint,
     .center_x = true, .center_y = true},
    {"the sum with rows / 2 for x", filter_hint, .center_x = true},
    {"the sum with columns / 2 for y", filter_hint, .center_y = true},
    {"the sum with columns that end at height - 1, not width - 1", edge_hint,
     .limit_x = true},
    {"the sum with rows that end at width - 1, not height - 1", edge_hint,
     .limit_y = true},
    {"the sum with columns that end at width, not width - 1", edge_hint,
     .past_x = true},
    {"the sum with rows that end at height, not height - 1", edge_hint,
     .past_y = true},
    {"the sum divided by the sum of the filter", "The weights are used as they "
     "are.", .normalized = true},
    {"the sum of products that are converted to integers", "Add in a float.",
     .arithmetic = INTEGER_PRODUCTS},
    {"the sum in an integer, which loses each fraction", "Add in a float.",
     .arithmetic = INTEGER_SUM},
    {"the sum over a window that starts at the pixel", filter_hint,
     .move_x = 16, .move_y = 16},
    {"the sum over a window that starts at the pixel's column", filter_hint,
     .move_x = 16},
    {"the sum over a window that starts at the pixel's row", filter_hint,
     .move_y = 16},
    {"the sum over a window one pixel too far to the right", filter_hint,
     .move_x = 1},
    {"the sum over a window one pixel too far to the left", filter_hint,
     .move_x = -1},
    {"the sum over a window one pixel too low", filter_hint, .move_y = 1},
    {"the sum over a window one pixel too high", filter_hint, .move_y = -1},
    {"the sum without the last row of the filter", filter_hint, .skip_y = 1},
    {"the sum without the last column of the filter", filter_hint,
     .skip_x = 1},
    {"the sum without the last row and column of the filter", filter_hint,
     .skip_x = 1, .skip_y = 1},
};

static long clamp_index(long i, long count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* Index of a pixel in one dimension, which may be outside. */
static long edge_index(long i, long count, const struct convolution_mistake *m)
{
    if (m->edge == MIRROR && i < 0)
        i = -i - 1;
    if (m->edge == MIRROR && i >= count)
        i = 2 * count - 1 - i;
    if (m->edge == REFLECT && count > 1)
        i = i < 0 ? -i : i < count ? i : 2 * count - 2 - i;
    if (m->edge == WRAP)
        return (i % count + count) % count;
    if (m->edge == UNDERFLOW && i < 0)
        return count - 1;
    return clamp_index(i, count);
}

/* The pixel at (u, v), which may be outside. */
static double pixel_at(const struct convolution_case *c,
                       const struct convolution_mistake *m, long u, long v)
{
    const long width = c->shape.width, height = c->shape.height;
    const long pitch = m->pitch_height ? height : width;
    const bool inside_x = u >= 0 && u < width, inside_y = v >= 0 && v < height;

    if ((m->edge == ZERO && !(inside_x && inside_y))
        || (m->clamp_x_only && !inside_y) || (m->clamp_y_only && !inside_x))
        return 0;
    if (m->edge == CLAMP_INDEX)
        return c->in[clamp_index(v * pitch + u, width * height)];
    u = edge_index(u, m->limit_x ? height : width + m->past_x, m);
    v = edge_index(v, m->limit_y ? width : height + m->past_y, m);
    if (v * pitch + u >= width * height)
        return NAN; /* outside of the array: anything */
    return c->in[v * pitch + u];
}

/* Element (u, v) of the filter, as this mistake takes it. */
static double tap_at(const struct convolution_case *c,
                     const struct convolution_mistake *m, int u, int v)
{
    const int columns = c->shape.columns, rows = c->shape.rows;
    int i;

    u = m->flip_x ? columns - 1 - u : u;
    v = m->flip_y ? rows - 1 - v : v;
    i = m->transpose ? u * rows + v
        : m->stride_rows ? v * rows + u
        : m->stride_most ? v * CONVOLUTION_MAX_FILTER_SIDE + u
                         : v * columns + u;
    return i < rows * columns ? (m->filter ? m->filter : c->filter)[i]
           : m->stride_most   ? 0 : NAN;
}

static double wrong_pixel(const struct convolution_case *c,
                          const struct convolution_mistake *m, int x, int y)
{
    const int columns = c->shape.columns, rows = c->shape.rows;
    const int left = x + (m->move_x == 16 ? 0 : m->move_x)
                     - (m->move_x == 16 ? 0
                        : m->center_x ? rows / 2 : columns / 2);
    const int top = y + (m->move_y == 16 ? 0 : m->move_y)
                    - (m->move_y == 16 ? 0
                       : m->center_y ? columns / 2 : rows / 2);
    double sum = 0, weights = 0;

    for (int v = 0; v < rows - m->skip_y; v++)
        for (int u = 0; u < columns - m->skip_x; u++) {
            const double term =
                tap_at(c, m, u, v) * pixel_at(c, m, left + u, top + v);

            sum += m->arithmetic == INTEGER_PRODUCTS ? trunc(term) : term;
            if (m->arithmetic == INTEGER_SUM)
                sum = trunc(sum);
            weights += tap_at(c, m, u, v);
        }
    if (m->normalized)
        sum /= weights;
    return isnan(sum) ? HYPOTHESIS_ANY : sum;
}

/* Try one mistake in all pixels. */
static void try_mistake(struct hypotheses *h, const struct convolution_case *c,
                        const struct convolution_mistake *m)
{
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = wrong_pixel(c, m, (int)i % c->shape.width,
                                (int)i / c->shape.width);
    hypothesis_try(h, m->hint, "%s", m->text);
}

/* Factors in the wrong order, or one of the two passes alone. */
static void try_factors(struct hypotheses *h, const struct convolution_case *c)
{
    static const char order[] = "The factors of the rows come first, then "
                                "those of the columns.";
    static const char passes[] = "Each pass reads what the other one wrote.";
    enum { MAX = CONVOLUTION_MAX_FILTER_SIDE };
    const int rows = c->shape.rows, columns = c->shape.columns;
    float weights[4][MAX * MAX] = {{0}};
    const struct convolution_mistake list[] = {
        {"the sum with the factors of rows and columns exchanged", order,
         .filter = weights[0]},
        {"the sum over a column only, with the factors of the rows", passes,
         .filter = weights[1]},
        {"the sum over a row only, with the factors of the columns", passes,
         .filter = weights[2]},
        {"the sum with the factors of the rows in both passes", order,
         .filter = weights[3]}};

    for (int i = 0; i < rows * columns; i++) {
        const int u = i % columns, v = i / columns;

        weights[0][i] = c->factors[u] * c->factors[columns + v];
        weights[1][i] = u == columns / 2 ? c->factors[v] : 0;
        weights[2][i] = v == rows / 2 ? c->factors[rows + u] : 0;
        weights[3][i] = c->factors[v] * c->factors[u];
    }
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        try_mistake(h, c, &list[k]);
}

/* The pass over rows with as many terms as the filter has rows, and the other
 * one with as many as it has columns; what lies behind the factors is 0. */
static void try_pass_lengths(struct hypotheses *h,
                             const struct convolution_case *c)
{
    enum { MAX = CONVOLUTION_MAX_FILTER_SIDE };
    const int rows = c->shape.rows, columns = c->shape.columns;
    float weights[MAX * MAX] = {0};
    struct convolution_case swapped = *c;
    const struct convolution_mistake mistake = {
        "the sum of a pass over rows with `rows` terms and of one over columns "
        "with `columns` terms", "A window is `columns` wide: the pass over a "
        "row has as many terms.", .filter = weights};

    swapped.shape.rows = columns;
    swapped.shape.columns = rows;
    for (int i = 0; rows != columns && i < rows * columns; i++) {
        const int u = i % rows, v = i / rows;

        if (u < columns && v < rows)
            weights[i] = c->factors[v] * c->factors[rows + u];
    }
    if (rows != columns)
        try_mistake(h, &swapped, &mistake);
}

/* The image with its width taken for its height. */
static void try_exchanged_sides(struct hypotheses *h,
                                const struct convolution_case *c)
{
    struct convolution_case swapped = *c;
    const struct convolution_mistake mistake = {
        .text = "the sum with the image's width and height exchanged",
        .hint = "An image has `height` rows of `width` pixels."};

    swapped.shape.width = c->shape.height;
    swapped.shape.height = c->shape.width;
    if (c->shape.width != c->shape.height)
        try_mistake(h, &swapped, &mistake);
}

/* rows * columns bytes of the filter instead of as many floats; the others are
 * 0 before the first call. */
static void try_bytes(struct hypotheses *h, const struct convolution_case *c)
{
    enum { MAX = CONVOLUTION_MAX_FILTER_SIDE };
    float weights[MAX * MAX] = {0};
    const struct convolution_mistake mistake = {
        "the sum with the first rows * columns bytes of the filter", "The size "
        "of a copy is in bytes: sizeof(float) times the number of elements.",
        .filter = weights};

    memcpy(weights, c->filter, (size_t)c->shape.rows * c->shape.columns);
    try_mistake(h, c, &mistake);
}

/* The filter of an earlier call; it may have had another shape. */
static void try_earlier(struct hypotheses *h, const struct convolution_case *c)
{
    static const char hint[] = "Does each call copy its own filter?";
    const struct convolution_mistake first = {
        "the sum with the weights of the first call", hint, .filter = c->first};
    const struct convolution_mistake last = {
        "the sum with the weights of the call before", hint,
        .filter = c->before};

    if (c->first)
        try_mistake(h, c, &first);
    if (c->before && c->before != c->first)
        try_mistake(h, c, &last);
}

/* In the first call the filter is not there yet: device memory of a symbol is
 * 0.  So are sums of integers if all products are small. */
static void try_missing_filter(struct hypotheses *h,
                               const struct convolution_case *c)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h), pixel = 0, tap = 0;

    if (c->first)
        return;
    for (int i = 0; i < c->shape.width * c->shape.height; i++)
        pixel = fmax(pixel, fabs(c->in[i]));
    for (int i = 0; i < c->shape.rows * c->shape.columns; i++)
        tap = fmax(tap, fabs(c->filter[i]));
    if (pixel * tap < 1)
        return;
    memset(values, 0, hypothesis_count(h) * sizeof *values);
    h->needed = 0.5; /* no other mistake makes exactly 0 of each sum */
    hypothesis_try(h, "Copy the filter to its symbol before the launch, in the "
                   "same stream.", "0, as with a filter that the kernel does "
                   "not find: copied after the launch, or not to this array");
    h->needed = needed;
}

/* A filter that is the product of these factors: columns' behind rows'. */
static void try_product(struct hypotheses *h, const struct convolution_case *c,
                        const float *factors, const char *text)
{
    enum { MAX = CONVOLUTION_MAX_FILTER_SIDE };
    const int rows = c->shape.rows, columns = c->shape.columns;
    float weights[MAX * MAX] = {0};
    const struct convolution_mistake mistake = {
        text, "Does each call copy its own factors, and its own filter?",
        .filter = weights};

    for (int i = 0; i < rows * columns; i++)
        weights[i] = factors[i / columns] * factors[rows + i % columns];
    try_mistake(h, c, &mistake);
}

/* The factors of an earlier call, which may have had others for rows and
 * columns. */
static void try_earlier_factors(struct hypotheses *h,
                                const struct convolution_case *c)
{
    if (c->first_factors)
        try_product(h, c, c->first_factors,
                    "the sum with the factors, or the weights, of the first "
                    "call");
    if (c->factors_before && c->factors_before != c->first_factors)
        try_product(h, c, c->factors_before,
                    "the sum with the factors, or the weights, of the call "
                    "before");
}

void convolution_mistakes(struct hypotheses *h, const void *context)
{
    const struct convolution_case *c = context;
    const struct convolution_shape *s = &c->shape;

    if ((double)hypothesis_count(h) * s->rows * s->columns > max_products)
        return;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        try_mistake(h, c, &list[k]);
    if (c->factors)
        try_earlier_factors(h, c);
    if (!h->fits)
        try_earlier(h, c);
    if (!h->fits)
        try_missing_filter(h, c);
    try_exchanged_sides(h, c);
    if (!h->fits)
        convolution_tile_mistakes(h, c);
    try_bytes(h, c);
    if (!c->factors)
        return;
    try_factors(h, c);
    try_pass_lengths(h, c);
}

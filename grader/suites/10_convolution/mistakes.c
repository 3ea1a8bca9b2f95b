/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 10: the filter's indices, its center, and pixels
 * outside of the image. */
#include "filter_mistake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/suite/suite.h"

/* Operations for all mistakes, which must not take seconds. */
static const double max_products = 1 << 25;

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

static const char size_hint[] =
    "Other filters were right in this test: is this one given to a kernel for "
    "another number of rows or columns, as by a `case` without its break? Or "
    "does its window not begin at - rows / 2 and - columns / 2?";

/* A window that is off by one, where other filters were right. */
static bool is_new(const struct hypotheses *h,
                   const struct convolution_mistake *m)
{
    return h->evidence->previous
           && (abs(m->move_x) == 1 || abs(m->move_y) == 1);
}

void convolution_try(struct hypotheses *h, const struct convolution_case *c,
                     const struct convolution_mistake *m)
{
    const struct facts *f = h->evidence->facts;
    double *values = hypothesis_values(h);
    char launches[48] = "";

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = wrong_pixel(c, m, (int)i % c->shape.width,
                                (int)i / c->shape.width);
    if (is_new(h, m) && !c->factors && f && f->launches > 1)
        snprintf(launches, sizeof launches, ", and %u kernels were launched",
                 f->launches);
    hypothesis_try(h, is_new(h, m) ? size_hint : m->hint, "%s%s", m->text,
                   launches);
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
        convolution_try(h, &swapped, &mistake);
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
    convolution_try(h, c, &mistake);
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
        convolution_try(h, c, &first);
    if (c->before && c->before != c->first)
        convolution_try(h, c, &last);
}

/* Are all results that are wrong negative?  0 for those may be a limit. */
static bool are_negative(const struct hypotheses *h)
{
    const struct evidence *e = h->evidence;

    for (size_t i = 0; i < hypothesis_count(h); i++)
        if (e->comparison->wrong_mask[i] && !(e->expected->want[i] < 0))
            return false;
    return true;
}

/* A comparison of a weight with 0 that leaves out those of a sign. */
static void try_one_sign(struct hypotheses *h, const struct convolution_case *c,
                         bool is_positive)
{
    enum { MOST = CONVOLUTION_MAX_FILTER_SIDE * CONVOLUTION_MAX_FILTER_SIDE };
    float filter[MOST];

    int changes = 0; /* of the sign, within rows */

    for (int i = 0; i < c->shape.rows * c->shape.columns; i++) {
        const bool is_kept = (c->filter[i] > 0) == is_positive;

        filter[i] = is_kept ? c->filter[i] : 0;
        changes += i % c->shape.columns > 0
                   && is_kept != (filter[i - 1] != 0);
    }
    /* in a narrow image the columns are one: whole rows may be left out */
    if (c->shape.width < 2 || changes == 0)
        return;
    convolution_try(h, c, &(struct convolution_mistake){
        is_positive ? "the sum without the negative weights of the filter"
                    : "the sum without the positive weights of the filter",
        "A weight may have any sign: add all products.", .filter = filter});
}

/* Has the filter more weights than a loop may leave out, as all rows but the
 * last, or a comparison with 0? */
static bool is_dense(const struct convolution_case *c)
{
    const int count = c->shape.rows * c->shape.columns;
    const float *last_row = c->filter + count - c->shape.columns;
    int positive = 0, in_last_row = 0;

    for (int i = 0; i < count; i++)
        positive += c->filter[i] > 0;
    for (int i = 0; i < c->shape.columns; i++)
        in_last_row += last_row[i] > 0;
    return count > 1 && in_last_row > 0 && 4 * positive > count;
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
    if (pixel * tap < 1 || !is_dense(c))
        return;
    memset(values, 0, hypothesis_count(h) * sizeof *values);
    h->needed = 0.5; /* of many weights nothing else makes 0 of each sum */
    h->is_vague = are_negative(h);
    if (h->is_vague)
        hypothesis_try(h, "Store the sum as it is. If the filter is in "
                       "constant memory: copy it to its symbol before the "
                       "launch, in the same stream.",
                       "0, not a negative number: are these cut off, or does "
                       "the kernel not find the filter?");
    else
        hypothesis_try(h, "Copy the filter to its symbol before the launch, in "
                       "the same stream.", "0, as with a filter that the "
                       "kernel does not find: copied after the launch, or not "
                       "to this array");
    h->is_vague = false;
    h->needed = needed;
}

void convolution_mistakes(struct hypotheses *h, const void *context)
{
    const struct convolution_case *c = context;
    const struct convolution_shape *s = &c->shape;

    if ((double)hypothesis_count(h) * s->rows * s->columns > max_products)
        return;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        convolution_try(h, c, &list[k]);
    if (c->factors)
        convolution_earlier_factors(h, c);
    try_one_sign(h, c, true);
    try_one_sign(h, c, false);
    if (!h->fits)
        try_earlier(h, c);
    if (!h->fits)
        try_missing_filter(h, c);
    try_exchanged_sides(h, c);
    if (!h->fits)
        convolution_strip_mistakes(h, c);
    if (!h->fits)
        convolution_tile_mistakes(h, c);
    try_bytes(h, c);
    if (c->factors)
        convolution_factor_mistakes(h, c);
}

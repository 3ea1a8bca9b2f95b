/* SPDX-License-Identifier: MIT */
/* Mistakes that any lab can have. */
#include "common_mistakes.h"

#include <math.h>
#include <stdlib.h>

/* A number that is chosen to fit costs as much evidence as an element has. */
static const double free_parameter = 20;

static const double *expected_values(const struct hypotheses *h)
{
    return h->evidence->expected->want;
}

static double first_wrong(const struct hypotheses *h)
{
    return h->evidence->comparison->got;
}

static void previous_result(struct hypotheses *h)
{
    const size_t count = h->evidence->previous_count;
    double *values = hypothesis_values(h);

    if (!h->evidence->previous)
        return;
    for (size_t i = 0; i < count && i < hypothesis_count(h); i++)
        values[i] = h->evidence->previous[i];
    hypothesis_try(h, "Does a static variable or the workspace keep something "
                   "from the previous call?", "the previous call's result");
}

static void input_unchanged(struct hypotheses *h)
{
    const struct expected *e = h->evidence->expected;
    double *values = hypothesis_values(h);

    if (!e->input)
        return;
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = element_value(e->input, e->type, i);
    hypothesis_try(h, NULL, "the input, unchanged");
}

static void rows_for_columns(struct hypotheses *h)
{
    const size_t *size = h->evidence->expected->size;
    const size_t rows = size[0], columns = size[1];
    double *values = hypothesis_values(h);

    if (rows < 2 || columns < 2 || size[2])
        return;
    for (size_t i = 0; i < rows * columns; i++)
        values[i] = expected_values(h)[i % rows * columns + i / rows];
    hypothesis_try(h, "The row stride of an array is its number of columns.",
                   "that of the transposed array: rows and columns are "
                   "exchanged");
}

/* Whole rows of a matrix are told as rows. */
static void try_distance(struct hypotheses *h, ptrdiff_t offset,
                         bool has_unwritten)
{
    static const char place_hint[] =
        "Does each part, such as an image or a tile, store at a place of its "
        "own, and is an offset in elements?";
    const size_t *size = h->evidence->expected->size;
    const size_t row = size[1] && !size[2] ? size[1] : 0;
    const size_t distance = (size_t)labs(offset);
    const char *hint = has_unwritten ? place_hint : NULL;
    const char *more = has_unwritten ? ", or was never written" : "";

    if (row > 1 && distance % row == 0)
        hypothesis_try(h, hint, "the value of the element %zu row%s %s it, in "
                       "the same column%s", distance / row,
                       distance == row ? "" : "s",
                       offset > 0 ? "below" : "above", more);
    else
        hypothesis_try(h, hint, "the value of the element %zu %s%s", distance,
                       offset > 0 ? "further on" : "before it", more);
}

/* The value that belongs `offset` elements further; at the ends, and where
 * nothing was written, any.  Of two or three elements any order that is wrong is
 * nearly a shift.  A few elements that have the next one's value among right
 * ones, as a gradient that also goes to a neighbor, are no index that is off. */
static void shifted(struct hypotheses *h, ptrdiff_t offset)
{
    enum { LEAST = 4 };
    const size_t count = hypothesis_count(h);
    const unsigned char *wrong = h->evidence->comparison->wrong_mask;
    const bool is_most = 2 * h->evidence->comparison->wrong >= count;
    double *values = hypothesis_values(h);
    size_t telling = 0, unwritten = 0;

    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t from = (ptrdiff_t)i + offset;
        const bool is_left = wrong[i] && evidence_is_unwritten(h->evidence, i);
        const bool is_inside = from >= 0 && from < (ptrdiff_t)count && !is_left;

        values[i] = is_inside ? expected_values(h)[from] : HYPOTHESIS_ANY;
        telling += is_inside && wrong[i];
        unwritten += is_left;
    }
    if (telling < LEAST)
        return;
    if (offset == 1 || offset == -1)
        hypothesis_try(h, is_most ? "An index is off by one." : NULL,
                       "the value of the %s element",
                       offset > 0 ? "next" : "previous");
    else
        try_distance(h, offset, unwritten > 0);
}

/* Where is the first wrong element's value expected? */
static void any_shift(struct hypotheses *h)
{
    const struct comparison *c = h->evidence->comparison;
    const double needed = h->needed;
    size_t from = 0;

    while (from < c->count
           && fabs(expected_values(h)[from] - c->got)
                  > element_tolerance(h->evidence->expected, from))
        from++;
    if (from == c->count || from == c->first)
        return;
    h->needed += free_parameter;
    shifted(h, (ptrdiff_t)from - (ptrdiff_t)c->first);
    h->needed = needed;
}

/* One or two elements that have another's value are no order. */
static void reversed(struct hypotheses *h)
{
    enum { LEAST = 4 };
    const size_t count = hypothesis_count(h);
    double *values = hypothesis_values(h);

    if (h->evidence->comparison->wrong < LEAST)
        return;
    for (size_t i = 0; i < count; i++)
        values[i] = expected_values(h)[count - 1 - i];
    hypothesis_try(h, NULL, "the value of the element that is as far from "
                   "the other end: the order is reversed");
}

/* Lanes, or elements of a vector, that are exchanged within a row. */
static void exchanged(struct hypotheses *h, size_t distance)
{
    const size_t *size = h->evidence->expected->size;
    const size_t count = hypothesis_count(h);
    const size_t row = size[1] && !size[2] ? size[1] : count;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < count; i++) {
        const size_t from = i % row ^ distance;

        values[i] = from < row ? expected_values(h)[i / row * row + from]
                               : HYPOTHESIS_ANY;
    }
    hypothesis_try(h, NULL, "the value of its neighbor at a distance of %zu: "
                   "pairs are exchanged", distance);
}

/* Sums that start with the memory's old content, or with the last result. */
static void not_cleared(struct hypotheses *h)
{
    const struct evidence *e = h->evidence;
    const enum element type = e->expected->type;
    const double wrap = type == UINT8 ? 0x1p8 : 0x1p32;
    static const char hint[] =
        "Memory that a kernel adds to must be cleared in every call; a call of "
        "cuBLAS or cuDNN overwrites it with beta = 0.";
    double *values = hypothesis_values(h);

    for (size_t i = 0; e->poison && i < hypothesis_count(h); i++) {
        values[i] += element_value(e->poison, type, i);
        if (!is_real(type) && values[i] >= (type == INT32 ? 0x1p31 : wrap))
            values[i] -= wrap;
    }
    hypothesis_try(h, hint, "the expected value plus what was in the memory "
                   "before the call");
    values = hypothesis_values(h);
    for (size_t i = 0; i < e->previous_count && i < hypothesis_count(h); i++)
        values[i] += e->previous[i];
    hypothesis_try(h, hint, "the expected value plus the previous call's "
                   "result");
}

static void multiplied(struct hypotheses *h, double factor)
{
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] *= factor;
    if (factor == -1)
        hypothesis_try(h, NULL, "the expected value with the other sign");
    else
        hypothesis_try(h, NULL, "%.6g times the expected value", factor);
}

/* What a launch has that many of, "a warp has 32 lanes"; or NULL. */
static const char *counted_things(const struct hypotheses *h, double count)
{
    enum { LANES = 32 };
    const double threads = (double)hypothesis_block_size(h);

    if (count < 8) /* too many things are as few */
        return NULL;
    if (count == LANES)
        return "a warp has 32 lanes";
    if (count == threads)
        return "as many as a block has threads";
    if (count == ceil(threads / LANES))
        return "as many as a block has warps";
    return count == (double)hypothesis_grid_size(h)
               ? "as many as the grid has blocks" : NULL;
}

/* Terms that are added by too many threads, or by one of many: the ratio of
 * the first wrong element is a whole number, or 1 divided by one. */
static void whole_factor(struct hypotheses *h)
{
    const double ratio = first_wrong(h) / h->evidence->comparison->want;
    const bool is_part = ratio < 1;
    const double count = rint(is_part ? 1 / ratio : ratio);
    const double needed = h->needed;
    const char *things = counted_things(h, count);
    double *values = hypothesis_values(h);

    if (!(ratio > 0) || !isfinite(count) || count < 2)
        return;
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] *= is_part ? 1 / count : count;
    /* so many others would do as well */
    h->needed += log2(things ? 8 : 2 * count);
    h->is_vague = !things;
    hypothesis_try(h, things ? "Which threads add a term, and how often is "
                               "each term added?" : NULL,
                   "%s%.0f%s expected value%s%s", is_part ? "1/" : "", count,
                   is_part ? " of the" : " times the", things ? ": " : "",
                   things ? things : "");
    h->is_vague = true;
    h->needed = needed;
}

/* The ratio of the first wrong element, for all. */
static void any_factor(struct hypotheses *h)
{
    const double want = h->evidence->comparison->want;
    const double factor = first_wrong(h) / want, needed = h->needed;

    if (!isfinite(factor) || factor == 0 || fabs(factor - 1) < 1e-3)
        return;
    h->needed += free_parameter;
    multiplied(h, factor);
    h->needed = needed;
}

/* The order of four elements, from the first four with a wrong one. */
static bool find_order(const struct hypotheses *h, size_t order[4])
{
    const size_t base = h->evidence->comparison->first / 4 * 4;

    if (base + 4 > hypothesis_count(h))
        return false;
    for (size_t k = 0; k < 4; k++) {
        order[k] = 0;
        while (order[k] < 4
               && expected_values(h)[base + order[k]]
                      != evidence_got(h->evidence, base + k))
            order[k]++;
        if (order[k] == 4)
            return false;
    }
    return true;
}

/* A float4 whose members are mixed up. */
static void members_mixed_up(struct hypotheses *h)
{
    const size_t count = hypothesis_count(h);
    const double needed = h->needed;
    double *values = hypothesis_values(h);
    size_t order[4];

    if (!find_order(h, order))
        return;
    for (size_t i = 0; i < count / 4 * 4; i++)
        values[i] = expected_values(h)[i / 4 * 4 + order[i % 4]];
    h->needed += free_parameter;
    hypothesis_try(h, NULL, "in its group of four, but these are in the order "
                   "%zu, %zu, %zu, %zu", order[0], order[1], order[2],
                   order[3]);
    h->needed = needed;
}

/* Is a constant added to all elements?  Bytes that are all a little too large
 * are so by many mistakes. */
static void any_offset(struct hypotheses *h)
{
    enum { LEAST = 4 };
    const double offset = first_wrong(h) - h->evidence->comparison->want;
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (!isfinite(offset)
        || (h->evidence->expected->type == UINT8 && fabs(offset) < LEAST))
        return;
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] += offset;
    h->needed += free_parameter;
    hypothesis_try(h, NULL, "the expected value %s %.6g",
                   offset > 0 ? "plus" : "minus", fabs(offset));
    h->needed = needed;
}

/* Mistakes for elements that are numbers. */
static void try_arithmetic(struct hypotheses *h)
{
    static const double factors[] = {-1, 2, 0.5, 4, 0.25};

    not_cleared(h);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        multiplied(h, factors[i]);
}

void try_common_mistakes(struct hypotheses *h)
{
    const enum element type = h->evidence->expected->type;

    previous_result(h);
    input_unchanged(h);
    rows_for_columns(h);
    shifted(h, 1);
    shifted(h, -1);
    reversed(h);
    for (size_t distance = 1; distance <= 16; distance *= 2)
        exchanged(h, distance);
    if (type != BITS32)
        try_arithmetic(h);
    try_bit_mistakes(h);
    if (!h->fits)
        try_workspace_mistakes(h);
    if (!h->fits)
        members_mixed_up(h);
    if (h->fits)
        return;
    h->is_vague = true;
    any_shift(h);
    if (type != BITS32)
        whole_factor(h);
    if (!h->fits && type != BITS32)
        any_factor(h);
    if (!h->fits && type != BITS32)
        any_offset(h);
}

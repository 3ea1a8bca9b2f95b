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

/* The value that belongs `offset` elements further; at the ends any.  Of two or
 * three elements any order that is wrong is nearly a shift. */
static void shifted(struct hypotheses *h, ptrdiff_t offset)
{
    enum { LEAST = 4 };
    const size_t count = hypothesis_count(h);
    double *values = hypothesis_values(h);
    size_t telling = 0;

    for (size_t i = 0; i < count; i++) {
        const ptrdiff_t from = (ptrdiff_t)i + offset;
        const bool is_inside = from >= 0 && from < (ptrdiff_t)count;

        values[i] = is_inside ? expected_values(h)[from] : HYPOTHESIS_ANY;
        telling += is_inside && h->evidence->comparison->wrong_mask[i];
    }
    if (telling < LEAST)
        return;
    if (offset == 1 || offset == -1)
        hypothesis_try(h, "An index is off by one.",
                       "the value of the %s element",
                       offset > 0 ? "next" : "previous");
    else
        hypothesis_try(h, NULL, "the value of the element %td %s", labs(offset),
                       offset > 0 ? "further on" : "before it");
}

/* Where is the first wrong element's value expected? */
static void any_shift(struct hypotheses *h)
{
    const struct comparison *c = h->evidence->comparison;
    const double needed = h->needed;
    size_t from = 0;

    while (from < c->count && expected_values(h)[from] != c->got)
        from++;
    if (from == c->count || from == c->first)
        return;
    h->needed += free_parameter;
    shifted(h, (ptrdiff_t)from - (ptrdiff_t)c->first);
    h->needed = needed;
}

static void reversed(struct hypotheses *h)
{
    const size_t count = hypothesis_count(h);
    double *values = hypothesis_values(h);

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

/* Is a constant added to all elements? */
static void any_offset(struct hypotheses *h)
{
    const double offset = first_wrong(h) - h->evidence->comparison->want;
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (!isfinite(offset))
        return;
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] += offset;
    h->needed += free_parameter;
    hypothesis_try(h, NULL, "the expected value %s %.6g",
                   offset > 0 ? "plus" : "minus", fabs(offset));
    h->needed = needed;
}

/* Several counters of fewer bits are added: each loses multiples of its limit.
 * That a difference is one by chance is as probable as 1 / limit; but of one
 * element alone a block may be lost that counts as many. */
static void few_bits_each(struct hypotheses *h, int bits)
{
    const bool is_single = h->evidence->comparison->wrong == 1;
    const double limit = ldexp(1, bits), needed = h->needed;
    bool is_left = false; /* of 0 alone nothing says that it was counted */
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const double lost = values[i] - evidence_got(h->evidence, i);

        if (!h->evidence->comparison->wrong_mask[i])
            continue;
        if (lost <= 0 || fmod(lost, limit) != 0)
            return;
        values[i] -= lost;
        is_left = is_left || values[i] > 0;
    }
    if (!is_left)
        return;
    h->needed = 0;
    h->is_vague = is_single;
    hypothesis_try(h, "What is the largest number that its type can hold, and "
                   "how much does each one count before they are added?",
                   "too small by a multiple of %g, as the sum of counters of "
                   "%d bits that overflow%s", limit, bits,
                   is_single ? ", or without blocks of as many elements" : "");
    h->is_vague = false;
    h->needed = needed;
}

/* A counter of fewer bits wraps around, or stops at its maximum. */
static void few_bits(struct hypotheses *h, int bits)
{
    const double limit = ldexp(1, bits);
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = values[i] - floor(values[i] / limit) * limit;
    hypothesis_try(h, "What is the largest number that its type can hold?",
                   "what remains in %d bits of the expected value", bits);
    values = hypothesis_values(h);
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = fmin(values[i], limit - 1);
    hypothesis_try(h, "What is the largest number that its type can hold?",
                   "the largest number of %d bits, where more is expected",
                   bits);
}

/* The bits of a float after an arithmetic operation that keeps its value: a
 * signaling NaN becomes quiet, and -0 + 0 is 0. */
static void after_arithmetic(struct hypotheses *h, bool loses_sign_of_zero)
{
    enum { QUIET = 1 << 22 };
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const uint32_t bits = (uint32_t)(int64_t)values[i];

        if ((bits & 0x7fffffff) > 0x7f800000)
            values[i] = (double)(bits | QUIET);
        else if (loses_sign_of_zero && bits == 0x80000000)
            values[i] = 0;
    }
    hypothesis_try(h, "Copy the elements; do not add 0 or multiply by 1.",
                   "the expected one after an arithmetic operation, such as "
                   "%s: NaNs became quiet%s", loses_sign_of_zero ? "x + 0"
                                                                 : "x * 1",
                   loses_sign_of_zero ? ", or -0 became 0" : "");
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
    for (int sign = 0; type == BITS32 && sign < 2; sign++)
        after_arithmetic(h, sign);
    if (type != BITS32)
        try_arithmetic(h);
    for (int bits = 8; type != BITS32 && type != FLOAT32 && bits <= 24;
         bits += 8)
        few_bits(h, bits);
    /* multiples of 65,536 are multiples of 256, too */
    for (int bits = type == BITS32 || is_real(type) ? 0 : 24;
         !h->fits && bits >= 8; bits -= 8)
        few_bits_each(h, bits);
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

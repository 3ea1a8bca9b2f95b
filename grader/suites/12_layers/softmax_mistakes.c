/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 12 in sums of a row: some columns are left out; and in
 * the mean of the losses. */
#include <math.h>

#include "mistakes.h"

enum { LANES = 32, MOST_ELEMENTS = 1 << 16 };

/* Does column j count? */
typedef bool part(size_t j, size_t columns, size_t number);

static bool first_columns(size_t j, size_t columns, size_t number)
{
    (void)columns;
    return j < number;
}

static bool before_tail(size_t j, size_t columns, size_t number)
{
    return j < columns / number * number;
}

static bool all_but_first(size_t j, size_t columns, size_t number)
{
    (void)columns;
    return j >= number;
}

static bool first_warp(size_t j, size_t columns, size_t number)
{
    (void)columns;
    return j % number < LANES;
}

static bool first_half(size_t j, size_t columns, size_t number)
{
    (void)columns;
    (void)number;
    return j % LANES < LANES / 2;
}

static bool second_half(size_t j, size_t columns, size_t number)
{
    return !first_half(j, columns, number);
}

static const char halves_hint[] =
    "A shuffle over 32 lanes begins at a distance of 16.";

/* Sums of a row without some of its columns. */
static const struct {
    const char *text, *hint;
    part *takes;
    size_t from, to; /* numbers: powers of two */
} parts[] = {
    {"divided by the sum of its row's first %zu columns", "A row may have more "
     "columns than a warp or a block has threads: each thread needs a loop.",
     first_columns, 32, 4096},
    {"divided by the sum of the columns before the last whole group of %zu",
     "The last group of columns is partial: its elements count as well.",
     before_tail, 4, 1024},
    {"divided by the sum of its row without column 0",
     "The sum has all columns, from 0 on.", all_but_first, 1, 1},
    {"divided by the sum of the first warp of each %zu columns", "After the "
     "warps have added, one warp adds their sums: is each one stored?",
     first_warp, 64, 1024},
    {"divided by the sum of half a warp: half of the lanes are not added",
     halves_hint, first_half, 1, 1},
};
enum { PARTS = sizeof parts / sizeof *parts };

static double row_maximum(const float *x, size_t columns)
{
    double maximum = -INFINITY;

    for (size_t j = 0; j < columns; j++)
        maximum = fmax(maximum, x[j]);
    return maximum;
}

/* The sum of the exponentials of some columns. */
static double part_sum(const float *x, size_t columns, double maximum,
                       part *takes, size_t number)
{
    double sum = 0;

    for (size_t j = 0; j < columns; j++)
        if (takes(j, columns, number))
            sum += exp(x[j] - maximum);
    return sum;
}

/* One row of the softmax.  Each half of a warp may have a sum of its own; what
 * no loop reaches is not written. */
static void divide_row(const float *x, size_t columns, part *takes,
                       size_t number, double *y)
{
    const double maximum = row_maximum(x, columns);
    const double sum = part_sum(x, columns, maximum, takes, number);
    const double other = takes == first_half
                             ? part_sum(x, columns, maximum, second_half, 1)
                             : sum;

    for (size_t j = 0; j < columns; j++)
        y[j] = takes == first_columns && j >= number
                   ? HYPOTHESIS_ANY
                   : exp(x[j] - maximum)
                         / (takes(j, columns, number) ? sum : other);
}

static const char overflow_hint[] =
    "exp(89) overflows, and exp(-104) is 0. Subtract the maximum of the row "
    "first; the quotient stays the same.";

static const char below_zero_hint[] =
    "exp(-104) is 0. Subtract the maximum of the row, which may be negative: "
    "the search starts with -INFINITY or the first element.";

/* The sum of a row's exponentials as they are: it overflows, or is 0. */
static double plain_sum(const float *x, size_t columns)
{
    float sum = 0;

    for (size_t j = 0; j < columns; j++)
        sum += expf(x[j]);
    return sum;
}

/* Exponentials of x itself: an infinity, a NaN or a 0 is little evidence
 * elsewhere, but here it is known in advance. */
static void try_overflow(struct hypotheses *h, const struct softmax_inputs *in)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h);
    bool overflows = false, is_below_zero = true;

    for (size_t row = 0; row < in->rows; row++) {
        const float *x = in->x + row * in->columns;
        const double sum = plain_sum(x, in->columns);

        overflows |= sum == 0 || isinf(sum);
        is_below_zero &= sum == 0;
        for (size_t j = 0; j < in->columns; j++)
            values[row * in->columns + j] = (double)expf(x[j]) / sum;
    }
    if (!overflows)
        return;
    h->needed = 1;
    if (is_below_zero)
        hypothesis_try(h, below_zero_hint, "exp(x) / sum of exp(x), all 0: the "
                       "row's maximum was not subtracted, or its search "
                       "starts at 0, above all of them");
    else
        hypothesis_try(h, overflow_hint, "exp(x) / sum of exp(x) where these "
                       "overflow, or are all 0: the row's maximum was not "
                       "subtracted");
    h->needed = needed;
}

void layers_softmax_mistakes(struct hypotheses *h, const void *context)
{
    const struct softmax_inputs *in = context;

    try_overflow(h, in);

    for (size_t k = 0; k < PARTS && hypothesis_count(h) < MOST_ELEMENTS; k++) {
        const size_t fits = h->fits;

        if (parts[k].takes == before_tail && fits)
            continue; /* the same columns */
        for (size_t number = parts[k].from;
             number <= parts[k].to && h->fits == fits; number *= 2) {
            double *values = hypothesis_values(h);

            for (size_t row = 0; row < in->rows; row++)
                divide_row(in->x + row * in->columns, in->columns,
                           parts[k].takes, number, values + row * in->columns);
            hypothesis_try(h, parts[k].hint, parts[k].text, number);
        }
    }
    if (!h->fits)
        layers_softmax_rows(h, in);
}

/* --- losses --------------------------------------------------------------- */

/* The losses when the sums of the rows have some columns only. */
static void try_parts(struct hypotheses *h, const struct loss_inputs *in,
                      part *takes, size_t number, const char *hint)
{
    double *values = hypothesis_values(h), sum = 0;

    for (size_t row = 0; row < in->rows; row++) {
        const float *x = in->x + row * in->classes;
        const double maximum = row_maximum(x, in->classes);

        if (in->labels[row] < in->classes)
            values[row] = maximum - x[in->labels[row]]
                          + log(part_sum(x, in->classes, maximum, takes,
                                         number));
        sum += values[row];
    }
    values[in->rows] = sum / (double)in->rows;
    hypothesis_try(h, hint, takes == first_half
                                ? "the loss with the sum of half a warp: half "
                                  "of the lanes are not added"
                                : "the loss with the sum of some columns of "
                                  "its row only");
}

/* The sum over the rows goes on from that of earlier calls.  Kept: the latest
 * call's sum, and that of all calls of the test. */
static void try_earlier_losses(struct hypotheses *h,
                               const struct loss_inputs *in)
{
    for (size_t all = 0; all < 2 && in->earlier; all++) {
        double *values = hypothesis_values(h);

        values[in->rows] += (double)in->earlier[all] / (double)in->rows;
        hypothesis_try(h, "What the blocks add to must be 0 at the beginning "
                       "of each call.",
                       "the mean with the losses of earlier calls added");
    }
}

/* Logarithms of another base: of the sum alone, or of the softmax. */
static void try_other_logarithms(struct hypotheses *h,
                                 const struct loss_inputs *in)
{
    static const char *const texts[] = {
        "the loss with log2() of the sum", "the loss with log10() of the sum",
        "the loss as log2() of the softmax",
        "the loss as log10() of the softmax"};
    const double factors[] = {1 / log(2), 1 / log(10)};

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h), sum = 0;

        for (size_t row = 0; row < in->rows; row++) {
            const float *x = in->x + row * in->classes;
            const size_t label = in->labels[row];
            const double distance =
                label < in->classes ? row_maximum(x, in->classes) - x[label]
                                    : 0;

            values[row] = k < 2 ? distance
                                      + (values[row] - distance) * factors[k]
                                : values[row] * factors[k - 2];
            sum += values[row];
        }
        values[in->rows] = sum / (double)in->rows;
        hypothesis_try(h, "The loss needs the natural logarithm: logf().",
                       "%s", texts[k]);
    }
}

/* With x_grad in the place of x: some rows' losses are of gradients, or of
 * probabilities, in the place of the logits. */
static void try_overwritten_logits(struct hypotheses *h,
                                   const struct loss_inputs *in)
{
    static const char *const texts[] = {
        "the loss with x[label] read after its gradient was stored there: "
        "x_grad may be x",
        "the loss with x[label] read after its probability was stored there: "
        "x_grad may be x"};

    for (size_t k = 0; k < COUNT(texts) && !h->fits; k++) {
        double *values = hypothesis_values(h), sum = 0;

        for (size_t row = 0; row < in->rows; row++) {
            const size_t label = in->labels[row];
            const size_t at = row * in->classes + label;
            const double stored = label < in->classes ? in->x_grad[at] : 0;

            if (label < in->classes && h->evidence->comparison->wrong_mask[row])
                values[row] += in->x[at]
                               - (k ? stored * (double)in->rows + 1 : stored);
            sum += values[row];
        }
        values[in->rows] = sum / (double)in->rows;
        hypothesis_try(h, "Load x[label] before any thread stores to x_grad.",
                       "%s", texts[k]);
    }
}

void layers_keep_losses(struct loss_inputs *in, double sum)
{
    static const char key;
    float *kept = suite_kept_floats(&key, 5);

    in->earlier = kept + 3;
    kept[3] = kept[0];
    kept[4] = kept[1];
    if (!isfinite(sum))
        return;
    kept[0] = (float)sum;
    kept[1] += (float)sum;
}

/* Labels that are no class have a number, but only those of 128 or more. */
static void try_signed_labels(struct hypotheses *h,
                              const struct loss_inputs *in)
{
    enum { FIRST_NEGATIVE = 128 };
    const unsigned char *wrong = h->evidence->comparison->wrong_mask;
    const double needed = h->needed;
    double *values = hypothesis_values(h);
    bool any = false;

    for (size_t row = 0; row < in->rows; row++) {
        const bool is_high = in->labels[row] >= in->classes
                             && in->labels[row] >= FIRST_NEGATIVE;

        if (wrong[row] != is_high)
            return;
        any |= is_high;
        if (is_high)
            values[row] = evidence_got(h->evidence, row);
    }
    values[in->rows] = HYPOTHESIS_ANY;
    h->needed = -1;
    if (any)
        hypothesis_try(h, "d_labels has bytes from 0 to 255: compare them as "
                       "unsigned char, or unsigned.",
                       "that of a label of 128 or more, which is negative as a "
                       "signed char; no other label has a wrong loss");
    h->needed = needed;
}

void layers_loss_mistakes(struct hypotheses *h, const void *context)
{
    const struct loss_inputs *in = context;
    double *values = hypothesis_values(h);

    if (in->rows == 0)
        return;
    values[in->rows] *= (double)in->rows;
    hypothesis_try(h, "The last element is the mean of the losses before it.",
                   "the sum of the losses, not their mean");
    try_earlier_losses(h, in);
    try_other_logarithms(h, in);
    for (size_t k = 0; k < PARTS; k++)
        for (size_t number = parts[k].from; number <= parts[k].to; number *= 2)
            if (number < in->classes || number == 1)
                try_parts(h, in, parts[k].takes, number, parts[k].hint);
    if (!h->fits)
        try_signed_labels(h, in);
    if (!h->fits)
        try_overwritten_logits(h, in);
}

/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 12 in the gradient of max-pooling: which windows pass
 * theirs to an element. */
#include "mistakes.h"

/* All elements of each window get its gradient, or an equal part of it. */
static void try_whole_windows(struct hypotheses *h,
                              const struct pool_grad_inputs *in)
{
    static const char *const texts[] = {
        "the sum of the gradients of all windows that contain it",
        "the gradient of an average: an equal part for each element"};
    const struct pool_shape *s = in->shape;
    const size_t plane = (size_t)s->h * s->w;
    const int size = s->size;

    for (int part = 0; part < 2; part++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] = 0;
        for (size_t i = 0; i < in->windows; i++) {
            const int top =
                (int)(i / in->columns % in->rows) * s->stride - s->pad;
            const int left = (int)(i % in->columns) * s->stride - s->pad;
            const size_t first = i / in->columns / in->rows * plane;

            for (int k = 0; k < size * size; k++) {
                const int row = top + k / size, column = left + k % size;

                if (row >= 0 && row < s->h && column >= 0 && column < s->w)
                    values[first + (size_t)(row * s->w + column)] +=
                        (double)in->y_grad[i] / (part ? size * size : 1);
            }
        }
        hypothesis_try(h, "Only the maximum of a window, at argmax, gets its "
                       "gradient.", "%s", texts[part]);
    }
}

/* Which windows count that should not, or the reverse. */
struct range {
    bool beyond_rows, beyond_columns; /* after the last whole one: argmax and
                                         y_grad are read as if they existed */
    bool round_rows, round_columns;   /* the first one is (u - size) / stride +
                                         1, rounded towards 0 */
    bool early_rows, early_columns; /* one window before the first one, too:
                                       its argmax is compared with a position
                                       that is none of it */
    bool short_rows, short_columns; /* but the one that starts at x */
};

/* The first window that is visited. */
static int first_window(const struct pool_shape *s, int at, bool rounds,
                        bool is_early)
{
    const int first = (at - s->size) / s->stride + 1;

    if (is_early)
        return at >= s->size ? first - 1 : 0;
    return rounds && first > 0 ? first : 0;
}

/* The sum for one x over all windows that contain it. */
static double gather(const struct pool_grad_inputs *in, size_t i,
                     const struct range *range)
{
    const struct pool_shape *s = in->shape;
    const size_t area = (size_t)s->h * s->w, planes = i / area * in->rows;
    const int row = (int)(i % area) / s->w + s->pad;
    const int column = (int)(i % area) % s->w + s->pad;
    double sum = 0;

    for (int p = first_window(s, row, range->round_rows, range->early_rows);
         p * s->stride + range->short_rows <= row; p++)
        for (int q = first_window(s, column, range->round_columns,
                                  range->early_columns);
             q * s->stride + range->short_columns <= column; q++) {
            const int r = row - p * s->stride, c = column - q * s->stride;
            const size_t window = (planes + (size_t)p) * in->columns
                                  + (size_t)q;

            if ((r >= s->size && !range->early_rows)
                || (c >= s->size && !range->early_columns)
                || (!range->beyond_rows && (size_t)p >= in->rows)
                || (!range->beyond_columns && (size_t)q >= in->columns))
                continue;
            if (window >= in->windows)
                return HYPOTHESIS_ANY; /* past the end of the arrays */
            if (in->argmax[window] == r * s->size + c)
                sum += (double)in->y_grad[window];
        }
    return sum;
}

/* Windows that do not exist. */
static void try_beyond_last(struct hypotheses *h,
                            const struct pool_grad_inputs *in)
{
    static const char *const texts[] = {
        "the sum with a column of windows that does not exist: it has the "
        "gradients of the next row of windows",
        "the sum with a row of windows that does not exist: it has the "
        "gradients of the next plane",
        "the sum with rows and columns of windows that do not exist"};

    for (size_t k = 0; k < COUNT(texts) && !h->fits; k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] = gather(in, i,
                               &(struct range){.beyond_rows = k > 0,
                                               .beyond_columns = k != 1});
        hypothesis_try(h, "Only whole windows count, POOL_OUTPUT_SIZE in each "
                       "direction: the last rows and columns of x may be in "
                       "none.", "%s", texts[k]);
    }
}

/* The first windows are left out where x is less than a window from the edge:
 * the quotient that gives their number is below 0. */
static void try_rounded_start(struct hypotheses *h,
                              const struct pool_grad_inputs *in)
{
    static const char *const texts[] = {
        "in rows and columns", "in rows", "in columns"};

    for (size_t k = 0; k < COUNT(texts) && !h->fits; k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] = gather(in, i,
                               &(struct range){.round_rows = k < 2,
                                               .round_columns = k != 1});
        hypothesis_try(h, "C rounds a quotient towards 0, so (-1) / 2 is 0, "
                       "not -1: where u + pad < size, the first window is 0.",
                       "the sum without first windows that contain it: in (u + "
                       "pad - size) / stride + 1 a negative quotient was "
                       "rounded towards 0, %s", texts[k]);
    }
}

/* The loop over windows begins one too early, or ends one too early. */
static void try_other_range(struct hypotheses *h,
                            const struct pool_grad_inputs *in)
{
    static const char *const where[] = {"rows and columns", "rows", "columns"};

    for (int is_short = 0; is_short < 2; is_short++)
        for (int k = 0; k < 3 && !h->fits; k++) {
            const bool rows = k < 2, columns = k != 1;
            double *values = hypothesis_values(h);
            struct range range = {.early_rows = rows, .early_columns = columns};

            if (is_short)
                range = (struct range){.short_rows = rows,
                                       .short_columns = columns};
            for (size_t i = 0; i < hypothesis_count(h); i++)
                values[i] = gather(in, i, &range);
            hypothesis_try(h, "Row u is in window p if p * stride <= u + pad < "
                           "p * stride + size, and so for columns.",
                           is_short ? "the sum without the window that starts "
                                      "at x itself, in %s: < in place of <="
                                    : "the sum with one window too many, "
                                      "before the first one that contains it, "
                                      "in %s",
                           where[k]);
        }
}

void layers_pool_grad_mistakes(struct hypotheses *h, const void *context)
{
    static const char hint[] = "Windows may overlap: for each x check every "
                               "window that contains it, and add.";
    static const char *const texts[] = {
        "the gradient of the last window alone whose maximum it is",
        "the gradient of the first window alone whose maximum it is",
        "the gradient of the last window alone that contains it"};
    const struct pool_grad_inputs *in = context;
    const struct pool_shape *s = in->shape;

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] = 0;
        for (size_t n = 0; n < in->windows; n++) {
            const size_t i = k == 1 ? in->windows - 1 - n : n;
            const size_t at = in->at[i], in_plane = at % ((size_t)s->h * s->w);
            const size_t row = in_plane / s->w, column = in_plane % s->w;
            const bool is_last =
                i / in->columns % in->rows == (row + s->pad) / s->stride
                && i % in->columns == (column + s->pad) / s->stride;

            if (k < 2 || is_last)
                values[at] = in->y_grad[i];
        }
        hypothesis_try(h, hint, "%s", texts[k]);
    }
    if (!h->fits)
        try_rounded_start(h, in);
    if (!h->fits)
        try_other_range(h, in);
    if (!h->fits)
        try_beyond_last(h, in);
    if (!h->fits)
        try_whole_windows(h, in);
}

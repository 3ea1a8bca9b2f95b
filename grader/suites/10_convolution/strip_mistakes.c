/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 10 where a thread goes down the rows of a strip and
 * keeps the sums of the pixels whose windows have the row that it is at. */
#include <stdio.h>

#include "mistakes.h"

static int clamp_index(int i, int count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* The terms that the pixel has with the filter's first row. */
static double first_terms(const struct convolution_case *c, int x, int y)
{
    const struct convolution_shape *s = &c->shape;
    const float *row =
        c->in + (size_t)clamp_index(y - s->rows / 2, s->height) * s->width;
    double sum = 0;

    for (int u = 0; u < s->columns; u++)
        sum += (double)c->filter[u]
               * row[clamp_index(x + u - s->columns / 2, s->width)];
    return sum;
}

/* The sums of strips of so many rows, if that of a new pixel does not begin
 * with 0. */
static void try_kept_sums(struct hypotheses *h,
                          const struct convolution_case *c, int strip)
{
    const struct convolution_shape *s = &c->shape;
    double *values = hypothesis_values(h);

    for (int x = 0; x < s->width; x++) {
        double kept = 0;

        for (int y = 0; y < s->height; y++) {
            kept = y % strip ? kept : 0;
            values[(size_t)y * s->width + x] += kept;
            kept += first_terms(c, x, y);
        }
    }
    hypothesis_try(h, "Sums that move from one pixel to the next as a thread "
                   "goes down: is that of the new lowest pixel set to 0 each "
                   "time?", "the sum plus the terms that pixels above it have "
                   "with filter row 0");
}

void convolution_strip_mistakes(struct hypotheses *h,
                                const struct convolution_case *c)
{
    enum { LEAST = 4, MOST = 512 };
    const size_t fits = h->fits;

    if (c->shape.height < 2)
        return;
    try_kept_sums(h, c, c->shape.height);
    for (int strip = LEAST; strip <= MOST && strip < c->shape.height
                            && h->fits == fits; strip *= 2)
        try_kept_sums(h, c, strip);
}

bool convolution_unwritten(const struct evidence *evidence, char *text)
{
    const struct convolution_case *c = evidence->expected->context;
    const size_t count = evidence_count(evidence);
    const size_t rows = (size_t)c->shape.rows / 2;
    const size_t lost = rows * (size_t)c->shape.width;
    char number[32] = "row";

    if (!rows || lost >= count || evidence->comparison->wrong != lost
        || evidence->comparison->first != count - lost)
        return false;
    if (rows > 1)
        snprintf(number, sizeof number, "%zu rows", rows);
    snprintf(text, DIAGNOSIS_SIZE, "never written: the last %s, as many as the "
             "filter has below its center (rows / 2): does a loop over the "
             "rows that are loaded end before all sums are stored, or is a "
             "bounds check short?", number);
    return true;
}

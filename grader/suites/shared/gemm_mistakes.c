/* SPDX-License-Identifier: MIT */
/* Usual mistakes of the matrix products. */
#include "gemm_mistakes.h"

#include <math.h>
#include <stdlib.h>

#include "gemm_terms.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Products for one mistake: all of them must not take seconds. */
static const double max_products = 1 << 22;

/* The sum of the terms of element (i, j), and of their magnitudes. */
static double sum_terms(const struct gemm *g, const struct gemm_term_mistake *m,
                        size_t element, size_t tile, double *magnitude)
{
    const size_t i = element / g->n, j = element % g->n;
    double sum = 0;

    *magnitude = 0;
    for (size_t p = 0; p < (size_t)g->k; p++) {
        const double term = m->term(g, i, j, p, tile);

        sum += term;
        *magnitude += fabs(term);
    }
    return sum;
}

double *gemm_sums(const struct hypotheses *h, const struct gemm *g)
{
    double *sums = malloc((hypothesis_count(h) + 1) * sizeof *sums);

    for (size_t e = 0; sums && e < hypothesis_count(h); e++) {
        sums[e] = 0;
        for (size_t p = 0; p < (size_t)g->k; p++)
            sums[e] += gemm_product(g, e / g->n, e % g->n, p);
    }
    return sums;
}

/* The expected value has the right sum: replace it. */
static void try_terms(struct hypotheses *h, const struct gemm *g,
                      const double *sums, const struct gemm_term_mistake *m,
                      size_t tile, size_t number)
{
    const double *scale = h->evidence->expected->scale;
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        double magnitude;
        const double sum = sum_terms(g, m, e, tile, &magnitude);
        const bool is_rough = /* the tolerance is too small for it */
            scale && fabs((double)g->alpha) * magnitude > 2 * scale[e];

        values[e] = isnan(sum) || is_rough ? HYPOTHESIS_ANY
                        : gemm_with_sum(g, values[e], sums[e], sum);
    }
    hypothesis_try(h, m->hint, m->text, number);
}

/* One member of each float4 of terms is lost. */
static void try_quarters(struct hypotheses *h, const struct gemm *g,
                         const double *sums)
{
    static const struct gemm_term_mistake quarter = {
        "the sum without every 4th term, from term %zu on",
        "Are all four members of a float4 stored, also where they are loaded "
        "one by one?", gemm_quarter_lost, NO_TILE};

    for (size_t member = 0; member < 4 && g->k > 4; member++)
        try_terms(h, g, sums, &quarter, member, member);
}

/* The sums of all lanes but each 2nd, or 4th, are lost. */
static void try_groups(struct hypotheses *h, const struct gemm *g,
                       const double *sums)
{
    for (size_t group = 2; group <= 4 && (size_t)g->k > group; group += 2) {
        const struct gemm_term_mistake first = {
            group == 2 ? "the sum of the terms p = 0, 2, 4, ... alone"
                       : "the sum of the terms p = 0, 4, 8, ... alone",
            "Does a sum over lanes by shuffles end before its step at a "
            "distance of 1, does a loop over the terms advance too far, or are "
            "the members of a vector after the first one lost?",
            gemm_first_of_group, NO_TILE};

        try_terms(h, g, sums, &first, group, group);
    }
}

/* Where an element of C is computed when the threads of a tile, each with a
 * square of `own` elements a side, have their rows and columns exchanged. */
static size_t exchanged(size_t row, size_t column, size_t tile, size_t own)
{
    return row / tile * tile + column % tile / own * own + row % own;
}

/* Threads store where others should. */
static void try_exchanged_threads(struct hypotheses *h, const struct gemm *g,
                                  const double *sums, size_t tile, size_t own)
{
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const size_t i = e / g->n, j = e % g->n;
        const size_t row = exchanged(i, j, tile, own);
        const size_t column = exchanged(j, i, tile, own);
        const bool is_in = row < (size_t)g->m && column < (size_t)g->n;
        const double sum = is_in ? sums[row * g->n + column] : 0;

        values[e] = gemm_with_sum(g, values[e], sums[e], sum);
    }
    hypothesis_try(h, "A thread stores its elements at the rows and columns of "
                   "which it has multiplied the operands.",
                   "that of another thread: each tile of %zu x %zu is stored "
                   "with the rows and the columns of its threads exchanged",
                   tile, tile);
}

/* A thread multiplies `own` neighboring rows or columns, but stores their sums
 * at rows or columns that lie a number of threads apart; or the reverse. */
static void try_other_stride(struct hypotheses *h, const struct gemm *g,
                             const double *sums, size_t tile, size_t own,
                             bool is_row, bool is_reverse)
{
    const size_t threads = tile / own;
    const size_t count = (size_t)(is_row ? g->m : g->n);
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const size_t i = e / g->n, j = e % g->n, line = is_row ? i : j;
        const size_t at = line % tile;
        const size_t from = line - at
                            + (is_reverse ? at % own * threads + at / own
                                          : at % threads * own + at / threads);
        const size_t element = is_row ? from * g->n + j : i * g->n + from;

        values[e] = gemm_with_sum(g, values[e], sums[e],
                                  from < count ? sums[element]
                                               : hypothesis_zero(h, e));
    }
    hypothesis_try(h, "A thread stores its elements at the rows and columns of "
                   "which it has multiplied the operands.",
                   "that of another %s of its tile: %zu %ss of a thread are "
                   "neighbors where they are multiplied, and not where they "
                   "are stored, or the reverse", is_row ? "row" : "column", own,
                   is_row ? "row" : "column");
}

static void try_other_strides(struct hypotheses *h, const struct gemm *g,
                              const double *sums)
{
    const size_t fits = h->fits;

    for (size_t tile = 32; tile <= 128; tile *= 2)
        for (size_t own = 2; own <= 8; own *= 2)
            for (int way = 0; way < 4 && h->fits == fits; way++)
                try_other_stride(h, g, sums, tile, own, way % 2, way / 2);
}

/* Element (i, j) is stored at j * m + i, or j * n + i. */
static void try_transposed_store(struct hypotheses *h, const struct gemm *g,
                                 const double *sums, size_t stride)
{
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const size_t row = e % stride, column = e / stride;

        values[e] = row < (size_t)g->m && column < (size_t)g->n
                        ? gemm_with_sum(g, values[e], sums[e],
                                        sums[row * g->n + column])
                        : hypothesis_unstored(h, e);
    }
    hypothesis_try(h, "C[i][j] is at i * n + j.",
                   "that of the transpose: row and column are exchanged where "
                   "C is stored");
}

/* Element (i, j) is stored at i * stride + j: where rows overlap, one of those
 * that are stored there stays. */
static void try_stored_stride(struct hypotheses *h, const struct gemm *g,
                              const double *sums, size_t stride,
                              const char *name)
{
    const size_t m = (size_t)g->m, n = (size_t)g->n;
    double *values = hypothesis_values(h);

    if ((double)hypothesis_count(h) * (double)(n / stride + 1) > max_products)
        return;
    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const double got = evidence_got(h->evidence, e), want = values[e];

        values[e] = HYPOTHESIS_ANY;
        for (size_t i = e < n ? 0 : (e - n) / stride + 1;
             i < m && i * stride <= e; i++) {
            const double sum = sums[i * n + e - i * stride];
            const double value = gemm_with_sum(g, want, sums[e], sum);

            if (values[e] == HYPOTHESIS_ANY
                || fabs(value - got) < fabs(values[e] - got))
                values[e] = value;
        }
        if (values[e] == HYPOTHESIS_ANY)
            values[e] = hypothesis_unstored(h, e);
    }
    hypothesis_try(h, "C has n columns: C[i][j] is at i * n + j.",
                   "that of a C which is stored with %s as its row stride",
                   name);
}

static void try_stores(struct hypotheses *h, const struct gemm *g,
                       const double *sums)
{
    const size_t fits = h->fits;

    try_transposed_store(h, g, sums, (size_t)g->m);
    if (g->m != g->n)
        try_transposed_store(h, g, sums, (size_t)g->n);
    if (g->k != g->n)
        try_stored_stride(h, g, sums, (size_t)g->k, "k");
    if (g->m != g->n && g->m != g->k)
        try_stored_stride(h, g, sums, (size_t)g->m, "m");
    for (size_t tile = 8; tile <= 128; tile *= 2)
        for (size_t own = 1; own <= 8 && h->fits == fits; own *= 2)
            try_exchanged_threads(h, g, sums, tile, own);
    try_other_strides(h, g, sums);
}

/* The elements of a tile past the last term, where that of the other matrix is
 * 0. */
struct padding {
    const char *text;
    bool is_a;
    enum { NEXT_ROW, LAST_TERM, TILE_BEFORE } from;
};

/* The element of A or B that is in its tile in place of term k + past; NAN is
 * an infinity as well as any other value that times 0 is NaN. */
static double padding_element(const struct gemm *g, const struct padding *m,
                              size_t line, size_t past, size_t tile)
{
    const size_t k = (size_t)g->k, first = k / tile * tile;
    const size_t term = m->from == LAST_TERM ? k - 1 : k + past - tile;

    if (m->from == NEXT_ROW)
        return (line + 1) * k + past < (size_t)g->m * k
                   ? g->a[(line + 1) * k + past] : 0;
    if (m->from == TILE_BEFORE && first == 0)
        return 0;
    return m->is_a ? g->a[line * k + term] : g->b[term * (size_t)g->n + line];
}

/* 0 times infinity is NaN, in all elements of a row or a column. */
static void try_padding(struct hypotheses *h, const struct gemm *g,
                        const struct padding *m, size_t tile)
{
    const size_t padding = (tile - (size_t)g->k % tile) % tile;
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const size_t line = m->is_a ? e / g->n : e % g->n;

        for (size_t past = 0; past < padding; past++)
            if (!isfinite(padding_element(g, m, line, past, tile)))
                values[e] = NAN;
    }
    hypothesis_try(h, "Both tiles must be 0 past the last term: 0 times an "
                   "infinity or a NaN is NaN.", "%s", m->text);
}

static void try_paddings(struct hypotheses *h, const struct gemm *g)
{
    static const struct padding list[] = {
        {"NaN: past the last term A's tile has elements of the next row",
         true, NEXT_ROW},
        {"NaN: past the last term A's tile has its row's last element again",
         true, LAST_TERM},
        {"NaN: past the last term B's tile has its column's last element again",
         false, LAST_TERM},
        {"NaN: past the last term A's tile has what was there before", true,
         TILE_BEFORE},
        {"NaN: past the last term B's tile has what was there before", false,
         TILE_BEFORE}};

    if (!isnan(h->evidence->comparison->got))
        return;
    for (size_t i = 0; i < COUNT(list); i++) {
        const size_t fits = h->fits;

        for (size_t tile = 8; tile <= 64 && h->fits == fits; tile *= 2)
            try_padding(h, g, &list[i], tile);
    }
}

/* No NaN, and nothing that products could make infinite. */
static bool all_moderate(const float *x, size_t count)
{
    size_t i = 0;

    while (i < count && fabsf(x[i]) < 0x1p50f)
        i++;
    return i == count;
}

/* NaN without a NaN or an infinity in A and B: that is evidence enough. */
static void try_unwritten_operands(struct hypotheses *h, const struct gemm *g)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (!all_moderate(g->a, (size_t)g->m * g->k)
        || !all_moderate(g->b, (size_t)g->k * g->n))
        return;
    for (size_t e = 0; e < hypothesis_count(h); e++) {
        if (!h->evidence->comparison->wrong_mask[e])
            continue;
        if (evidence_is_unwritten(h->evidence, e))
            return; /* that is said elsewhere */
        values[e] = NAN;
    }
    h->needed = 0;
    h->is_vague = true; /* a line where it is loaded says more */
    hypothesis_try(h, "Is each tile stored before it is loaded: the last one "
                   "along k, too, and in the buffer that is loaded next; with "
                   "0 in the rest of a partial one; and with the row stride "
                   "with which it is loaded?",
                   "NaN, though A and B have none: an operand was loaded from "
                   "memory that nothing had written yet");
    h->is_vague = false;
    h->needed = needed;
}

/* The smallest tile that fits: larger ones may do the same here. */
static void try_tiles(struct hypotheses *h, const struct gemm *g,
                      const double *sums, const struct gemm_term_mistake *m)
{
    const size_t k = (size_t)g->k, fits = h->fits;

    for (size_t tile = 8; tile <= 128 && h->fits == fits; tile *= 2) {
        const size_t number = m->number == REST   ? k % tile
                              : m->number == LAST ? k - (k - 1) / tile * tile
                                                  : tile;

        if (m->number == REST && (number < 2 || number == k))
            continue;
        if (m->number == FIRST
            && k < (m->term == gemm_only_first_tile ? 2 : 1) * tile + 1)
            continue; /* as without the rest, or no mistake */
        try_terms(h, g, sums, m, tile, number);
    }
}

void gemm_mistakes(struct hypotheses *h, const void *context)
{
    const struct gemm *g = context;
    double *sums;

    gemm_empty_sum(h, g);
    gemm_walk_mistakes(h, g);
    if ((double)hypothesis_count(h) * g->k > max_products || g->k == 0)
        return;
    sums = gemm_sums(h, g);
    if (!sums)
        return;
    gemm_factor_mistakes(h, g, sums);
    try_paddings(h, g);
    for (const struct gemm_term_mistake *m = gemm_term_mistakes; m->text; m++)
        if (m->number == NO_TILE)
            try_terms(h, g, sums, m, 0, 0);
        else if (m->number == HALF_BITS || m->number == BFLOAT16_BITS)
            try_terms(h, g, sums, m, (size_t)m->number, (size_t)m->number);
        else
            try_tiles(h, g, sums, m);
    try_quarters(h, g, sums);
    try_groups(h, g, sums);
    try_stores(h, g, sums);
    if (!h->fits)
        gemm_index_mistakes(h, g, sums);
    if (!h->fits)
        gemm_no_term(h, g, sums);
    free(sums);
    if (!h->fits)
        try_unwritten_operands(h, g);
}

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

/* The sums of all elements, without alpha and beta. */
static double *right_sums(const struct hypotheses *h, const struct gemm *g)
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

        values[e] = isnan(sum) || is_rough
                        ? HYPOTHESIS_ANY
                               : values[e] + (double)g->alpha * (sum - sums[e]);
    }
    hypothesis_try(h, m->hint, m->text, number);
}

/* alpha and beta in other places; the rest of the expected value is beta
 * C. */
static void try_factors(struct hypotheses *h, const struct gemm *g,
                        const double *sums)
{
    static const char hint[] = "alpha multiplies the whole sum, beta the old "
                               "C: once each, in every path that stores.";
    static const char *const texts[] = {
        "A B + beta C: alpha is missing", "alpha A B: beta C is not added",
        "alpha A B + C: beta is missing", "alpha (A B + beta C)",
        "A B alone", "beta C alone: A B is not added",
        "alpha A B + beta^2 C: beta is multiplied twice"};

    /* Without C there is one place for alpha. */
    for (size_t k = 0; k < (g->beta == 0 ? 1 : COUNT(texts)); k++) {
        double *values = hypothesis_values(h);

        for (size_t e = 0; e < hypothesis_count(h); e++) {
            const double product = (double)g->alpha * sums[e];
            const double beta_c = g->beta == 0 ? 0 : values[e] - product;
            const double results[] = {
                sums[e] + beta_c, product,
                product + beta_c / (double)g->beta,
                product + (double)g->alpha * beta_c, sums[e], beta_c,
                product + (double)g->beta * beta_c};

            values[e] = results[k];
        }
        hypothesis_try(h, hint, "%s", texts[k]);
    }
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

        values[e] += (double)g->alpha * (sum - sums[e]);
    }
    hypothesis_try(h, "A thread stores its elements at the rows and columns of "
                   "which it has multiplied the operands.",
                   "that of another thread: each tile of %zu x %zu is stored "
                   "with the rows and the columns of its threads exchanged",
                   tile, tile);
}

/* Element (i, j) is stored at j * m + i, or j * n + i. */
static void try_transposed_store(struct hypotheses *h, const struct gemm *g,
                                 const double *sums, size_t stride)
{
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const size_t row = e % stride, column = e / stride;

        if (row < (size_t)g->m && column < (size_t)g->n)
            values[e] += (double)g->alpha
                         * (sums[row * g->n + column] - sums[e]);
        else
            values[e] = HYPOTHESIS_ANY; /* nothing is stored there */
    }
    hypothesis_try(h, "C[i][j] is at i * n + j.",
                   "that of the transpose: row and column are exchanged where "
                   "C is stored");
}

static void try_stores(struct hypotheses *h, const struct gemm *g,
                       const double *sums)
{
    const size_t fits = h->fits;

    try_transposed_store(h, g, sums, (size_t)g->m);
    if (g->m != g->n)
        try_transposed_store(h, g, sums, (size_t)g->n);
    for (size_t tile = 8; tile <= 128; tile *= 2)
        for (size_t own = 1; own <= 8 && h->fits == fits; own *= 2)
            try_exchanged_threads(h, g, sums, tile, own);
}

/* Inputs of fewer bits, in sums of float. */
static void try_rounded_inputs(struct hypotheses *h, const struct gemm *g,
                               const double *sums)
{
    static const struct gemm_term_mistake half = {
        "the product of inputs rounded to %zu bits of mantissa: half or TF32",
        "Load, multiply and add in float.", gemm_rounded_inputs, NO_TILE};
    static const struct gemm_term_mistake bfloat16 = {
        "the product of inputs rounded to %zu bits of mantissa: bfloat16",
        "Load, multiply and add in float.", gemm_rounded_inputs, NO_TILE};

    try_terms(h, g, sums, &half, 11, 11);
    try_terms(h, g, sums, &bfloat16, 8, 8);
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

    if ((double)hypothesis_count(h) * g->k > max_products || g->k == 0)
        return;
    sums = right_sums(h, g);
    if (!sums)
        return;
    try_factors(h, g, sums);
    for (const struct gemm_term_mistake *m = gemm_term_mistakes; m->text; m++) {
        if (m->number == NO_TILE)
            try_terms(h, g, sums, m, 0, 0);
        else
            try_tiles(h, g, sums, m);
    }
    try_rounded_inputs(h, g, sums);
    try_quarters(h, g, sums);
    try_stores(h, g, sums);
    free(sums);
}

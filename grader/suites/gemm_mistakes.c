/* SPDX-License-Identifier: MIT */
/* Usual mistakes of the matrix products. */
#include "gemm_mistakes.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Products for one mistake: all of them must not take seconds. */
static const double max_products = 1 << 22;

static const char stride_hint[] =
    "The row stride of A is k, that of B and of C is n.";
static const char terms_hint[] =
    "The loop over the tiles of k needs one more iteration for a partial "
    "tile.";
static const char tile_hint[] =
    "Which index of a tile is the row, in the store and in the load?";

/* A product whose terms are others. */
struct term_mistake {
    const char *text; /* with the number of terms, or the tile's side */
    const char *hint;
    /* the product p of row i, column j; NAN outside of the arrays */
    double (*term)(const struct gemm *g, size_t i, size_t j, size_t p,
                   size_t tile);
    enum { NO_TILE, REST, LAST, FIRST, SIDE } number; /* of the text */
};

/* Element of a matrix by its index; NAN past its end. */
static double at(const float *x, size_t count, size_t index)
{
    return index < count ? (double)x[index] : NAN;
}

static double a_at(const struct gemm *g, size_t i, size_t p)
{
    return i < (size_t)g->m && p < (size_t)g->k ? g->a[i * g->k + p] : 0;
}

static double b_at(const struct gemm *g, size_t p, size_t j)
{
    return p < (size_t)g->k && j < (size_t)g->n ? g->b[p * g->n + j] : 0;
}

static double product(const struct gemm *g, size_t i, size_t j, size_t p)
{
    return a_at(g, i, p) * b_at(g, p, j);
}

static double a_transposed(const struct gemm *g, size_t i, size_t j, size_t p,
                           size_t tile)
{
    (void)tile;
    return at(g->a, (size_t)g->m * g->k, p * g->m + i) * b_at(g, p, j);
}

static double b_transposed(const struct gemm *g, size_t i, size_t j, size_t p,
                           size_t tile)
{
    (void)tile;
    return a_at(g, i, p) * at(g->b, (size_t)g->k * g->n, j * g->k + p);
}

static double a_stride_n(const struct gemm *g, size_t i, size_t j, size_t p,
                         size_t tile)
{
    (void)tile;
    return at(g->a, (size_t)g->m * g->k, i * g->n + p) * b_at(g, p, j);
}

static double b_stride_k(const struct gemm *g, size_t i, size_t j, size_t p,
                         size_t tile)
{
    (void)tile;
    return a_at(g, i, p) * at(g->b, (size_t)g->k * g->n, p * g->k + j);
}

/* s_b[x][p] for s_b[p][x]: row and column within the tile. */
static double b_tile_transposed(const struct gemm *g, size_t i, size_t j,
                                size_t p, size_t tile)
{
    const size_t x = j % tile, q = p % tile;

    return a_at(g, i, p) * b_at(g, p - q + x, j - x + q);
}

static double a_tile_transposed(const struct gemm *g, size_t i, size_t j,
                                size_t p, size_t tile)
{
    const size_t y = i % tile, q = p % tile;

    return a_at(g, i - y + q, p - q + y) * b_at(g, p, j);
}

static double last_of_tile_lost(const struct gemm *g, size_t i, size_t j,
                                size_t p, size_t tile)
{
    return p % tile == tile - 1 ? 0 : product(g, i, j, p);
}

static double only_last_tile(const struct gemm *g, size_t i, size_t j,
                             size_t p, size_t tile)
{
    return p < ((size_t)g->k - 1) / tile * tile ? 0 : product(g, i, j, p);
}

static double only_first_tile(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    return p < tile ? product(g, i, j, p) : 0;
}

/* The terms of a last, partial tile that lie outside repeat the last one. */
static double last_term_repeated(const struct gemm *g, size_t i, size_t j,
                                 size_t p, size_t tile)
{
    const size_t k = (size_t)g->k, past = (k + tile - 1) / tile * tile - k;

    return product(g, i, j, p) * (p + 1 < k ? 1 : 1 + (double)past);
}

static double partial_tile_lost(const struct gemm *g, size_t i, size_t j,
                                size_t p, size_t tile)
{
    return p < (size_t)g->k / tile * tile ? product(g, i, j, p) : 0;
}

static double whole_tile_lost(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    return (size_t)g->k % tile || p + tile < (size_t)g->k
               ? product(g, i, j, p) : 0;
}

static double last_term_lost(const struct gemm *g, size_t i, size_t j,
                             size_t p, size_t tile)
{
    (void)tile;
    return p + 1 < (size_t)g->k ? product(g, i, j, p) : 0;
}

static double first_term_lost(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    (void)tile;
    return p > 0 ? product(g, i, j, p) : 0;
}

/* Of four terms that a float4 loads one is not used. */
static double quarter_lost(const struct gemm *g, size_t i, size_t j, size_t p,
                           size_t member)
{
    return p % 4 == member ? 0 : product(g, i, j, p);
}

/* x with that many bits of mantissa. */
static double rounded(double x, int bits)
{
    int exponent;

    if (!isfinite(x) || x == 0)
        return x;
    x = frexp(x, &exponent);
    return ldexp(nearbyint(ldexp(x, bits)), exponent - bits);
}

static double rounded_inputs(const struct gemm *g, size_t i, size_t j,
                             size_t p, size_t bits)
{
    return rounded(a_at(g, i, p), (int)bits)
           * rounded(b_at(g, p, j), (int)bits);
}

static const struct term_mistake list[] = {
    {"the sum without its last term", terms_hint, last_term_lost, NO_TILE},
    {"the sum without its first term", NULL, first_term_lost, NO_TILE},
    {"the sum without its last %zu terms, after the last whole tile",
     terms_hint, partial_tile_lost, REST},
    {"the sum without its last whole tile, of %zu terms", NULL,
     whole_tile_lost, SIDE},
    {"the sum of its first %zu terms only", "Do all iterations add to the same "
     "sum?", only_first_tile, FIRST},
    {"the sum of the last tile's terms only (%zu): it starts at 0 again in each "
     "tile",
     "Set the sum to 0 before the loop over the tiles.", only_last_tile, LAST},
    {"the sum without the last term of each tile of %zu", NULL,
     last_of_tile_lost, SIDE},
    {"the sum with its last term again for each term that a tile of %zu has "
     "past k", "Elements of a tile that lie outside of A and B are 0, not the "
     "nearest element.", last_term_repeated, SIDE},
    {"the product with A transposed", stride_hint, a_transposed, NO_TILE},
    {"the product with B transposed", stride_hint, b_transposed, NO_TILE},
    {"the product with n as A's row stride", stride_hint, a_stride_n, NO_TILE},
    {"the product with k as B's row stride", stride_hint, b_stride_k, NO_TILE},
    {"the product with each tile of A transposed", tile_hint,
     a_tile_transposed, SIDE},
    {"the product with each tile of B transposed", tile_hint,
     b_tile_transposed, SIDE},
};

/* The sum of the terms of element (i, j). */
static double sum_terms(const struct gemm *g, const struct term_mistake *m,
                        size_t element, size_t tile)
{
    const size_t i = element / g->n, j = element % g->n;
    double sum = 0;

    for (size_t p = 0; p < (size_t)g->k; p++)
        sum += m->term(g, i, j, p, tile);
    return sum;
}

/* The sums of all elements, without alpha and beta. */
static double *right_sums(const struct hypotheses *h, const struct gemm *g)
{
    double *sums = malloc((hypothesis_count(h) + 1) * sizeof *sums);

    for (size_t e = 0; sums && e < hypothesis_count(h); e++) {
        sums[e] = 0;
        for (size_t p = 0; p < (size_t)g->k; p++)
            sums[e] += product(g, e / g->n, e % g->n, p);
    }
    return sums;
}

/* The expected value has the right sum: replace it. */
static void try_terms(struct hypotheses *h, const struct gemm *g,
                      const double *sums, const struct term_mistake *m,
                      size_t tile, size_t number)
{
    double *values = hypothesis_values(h);

    for (size_t e = 0; e < hypothesis_count(h); e++) {
        const double sum = sum_terms(g, m, e, tile);

        values[e] = isnan(sum) ? HYPOTHESIS_ANY
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
    static const struct term_mistake quarter = {
        "the sum without every 4th term, from term %zu on",
        "Are all four members of a float4 stored, also where they are loaded "
        "one by one?", quarter_lost, NO_TILE};

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

static void try_stores(struct hypotheses *h, const struct gemm *g,
                       const double *sums)
{
    const size_t fits = h->fits;

    for (size_t tile = 8; tile <= 128; tile *= 2)
        for (size_t own = 1; own <= 8 && h->fits == fits; own *= 2)
            try_exchanged_threads(h, g, sums, tile, own);
}

/* Inputs of fewer bits, in sums of float. */
static void try_rounded_inputs(struct hypotheses *h, const struct gemm *g,
                               const double *sums)
{
    static const struct term_mistake half = {
        "the product of inputs rounded to %zu bits of mantissa: half or TF32",
        "Load, multiply and add in float.", rounded_inputs, NO_TILE};
    static const struct term_mistake bfloat16 = {
        "the product of inputs rounded to %zu bits of mantissa: bfloat16",
        "Load, multiply and add in float.", rounded_inputs, NO_TILE};

    try_terms(h, g, sums, &half, 11, 11);
    try_terms(h, g, sums, &bfloat16, 8, 8);
}

/* The smallest tile that fits: larger ones may do the same here. */
static void try_tiles(struct hypotheses *h, const struct gemm *g,
                      const double *sums, const struct term_mistake *m)
{
    const size_t k = (size_t)g->k, fits = h->fits;

    for (size_t tile = 8; tile <= 128 && h->fits == fits; tile *= 2) {
        const size_t number = m->number == REST   ? k % tile
                              : m->number == LAST ? k - (k - 1) / tile * tile
                                                  : tile;

        if (m->number == REST && (number < 2 || number == k))
            continue;
        if (m->number == FIRST && k < 2 * tile) /* as without the rest */
            continue;
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
    for (size_t k = 0; k < COUNT(list); k++) {
        if (list[k].number == NO_TILE)
            try_terms(h, g, sums, &list[k], 0, 0);
        else
            try_tiles(h, g, sums, &list[k]);
    }
    try_rounded_inputs(h, g, sums);
    try_quarters(h, g, sums);
    try_stores(h, g, sums);
    free(sums);
}

/* SPDX-License-Identifier: MIT */
/* Matrix products with other terms. */
#include "gemm_terms.h"

#include <math.h>

#include "grader/suite/hypothesis.h"

static const char stride_hint[] =
    "The row stride of A is k, that of B and of C is n.";
static const char terms_hint[] =
    "Does the loop over k end too early? With tiles, it needs one more "
    "iteration for a partial tile.";
static const char thread_hint[] =
    "A thread needs A's elements in its row of C, and B's in its column.";
static const char tile_hint[] =
    "Which index of a tile is the row, in the store and in the load?";

static const char check_hint[] =
    "A tile's bounds check has the same two indices as its load.";
static const char bits_hint[] = "Load, multiply and add in float.";
static const char end_hint[] = "The loop over the terms ends at k.";

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

double gemm_product(const struct gemm *g, size_t i, size_t j, size_t p)
{
    return a_at(g, i, p) * b_at(g, p, j);
}

double gemm_with_sum(const struct gemm *g, double want, double right,
                     double sum)
{
    if (sum == right)
        return want;
    if (isfinite(right))
        return want + (double)g->alpha * (sum - right);
    return g->beta == 0 ? (double)g->alpha * sum : HYPOTHESIS_ANY;
}

static double first_n_terms(const struct gemm *g, size_t i, size_t j, size_t p,
                            size_t tile)
{
    (void)tile;
    return p < (size_t)g->n ? gemm_product(g, i, j, p) : 0;
}

static double first_m_terms(const struct gemm *g, size_t i, size_t j, size_t p,
                            size_t tile)
{
    (void)tile;
    return p < (size_t)g->m ? gemm_product(g, i, j, p) : 0;
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

static double a_stride_m(const struct gemm *g, size_t i, size_t j, size_t p,
                         size_t tile)
{
    (void)tile;
    return at(g->a, (size_t)g->m * g->k, i * g->m + p) * b_at(g, p, j);
}

static double b_stride_k(const struct gemm *g, size_t i, size_t j, size_t p,
                         size_t tile)
{
    (void)tile;
    return a_at(g, i, p) * at(g->b, (size_t)g->k * g->n, p * g->k + j);
}

/* The pointer to B moves on by the rows of a tile, each of length k. */
static double b_step_of_k(const struct gemm *g, size_t i, size_t j, size_t p,
                          size_t tile)
{
    return a_at(g, i, p)
           * at(g->b, (size_t)g->k * g->n,
                p / tile * tile * g->k + p % tile * g->n + j);
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

/* A thread's row of the tile of A, or column of that of B, is that of its other
 * coordinate.  Outside of the array it is 0. */
static double a_rows_by_column(const struct gemm *g, size_t i, size_t j,
                               size_t p, size_t tile)
{
    return a_at(g, i / tile * tile + j % tile, p) * b_at(g, p, j);
}

static double b_columns_by_row(const struct gemm *g, size_t i, size_t j,
                               size_t p, size_t tile)
{
    return a_at(g, i, p) * b_at(g, p, j / tile * tile + i % tile);
}

/* A tile's bounds check against k has the thread's other coordinate: elements
 * that exist are 0, and elements past k, which may be anything, are loaded. */
static double checked_by(const struct gemm *g, size_t i, size_t j, size_t p,
                         size_t tile, size_t other)
{
    const size_t first = p - p % tile;

    return first + other >= (size_t)g->k  ? 0
           : first + tile > (size_t)g->k ? NAN
                                          : gemm_product(g, i, j, p);
}

static double a_checked_by_row(const struct gemm *g, size_t i, size_t j,
                               size_t p, size_t tile)
{
    return checked_by(g, i, j, p, tile, i % tile);
}

static double b_checked_by_column(const struct gemm *g, size_t i, size_t j,
                                  size_t p, size_t tile)
{
    return checked_by(g, i, j, p, tile, j % tile);
}

/* Each tile of B times that of A: all terms of a tile at its first one. */
static double tiles_exchanged(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    double sum = 0;

    for (size_t q = 0; p % tile == 0 && q < tile; q++)
        sum += b_at(g, p + i % tile, j / tile * tile + q)
               * a_at(g, i / tile * tile + q, p + j % tile);
    return sum;
}

static double last_of_tile_lost(const struct gemm *g, size_t i, size_t j,
                                size_t p, size_t tile)
{
    return p % tile == tile - 1 ? 0 : gemm_product(g, i, j, p);
}

static double half_of_tile_lost(const struct gemm *g, size_t i, size_t j,
                                size_t p, size_t tile)
{
    return p % tile < tile / 2 ? gemm_product(g, i, j, p) : 0;
}

/* The loads of a matrix do not advance with the tiles. */
static double first_tile_of_a(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    return a_at(g, i, p % tile) * b_at(g, p, j);
}

static double first_tile_of_b(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    return a_at(g, i, p) * b_at(g, p % tile, j);
}

static double only_last_tile(const struct gemm *g, size_t i, size_t j,
                             size_t p, size_t tile)
{
    return p < ((size_t)g->k - 1) / tile * tile ? 0 : gemm_product(g, i, j, p);
}

double gemm_only_first_tile(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    return p < tile ? gemm_product(g, i, j, p) : 0;
}

/* The terms of a last, partial tile that lie outside repeat the last one. */
static double last_term_repeated(const struct gemm *g, size_t i, size_t j,
                                 size_t p, size_t tile)
{
    const size_t k = (size_t)g->k, past = (k + tile - 1) / tile * tile - k;

    return gemm_product(g, i, j, p) * (p + 1 < k ? 1 : 1 + (double)past);
}

static double partial_tile_lost(const struct gemm *g, size_t i, size_t j,
                                size_t p, size_t tile)
{
    return p < (size_t)g->k / tile * tile ? gemm_product(g, i, j, p) : 0;
}

static double full_tile_lost(const struct gemm *g, size_t i, size_t j,
                             size_t p, size_t tile)
{
    return (size_t)g->k % tile || p + tile < (size_t)g->k
               ? gemm_product(g, i, j, p) : 0;
}

static double last_term_lost(const struct gemm *g, size_t i, size_t j,
                             size_t p, size_t tile)
{
    (void)tile;
    return p + 1 < (size_t)g->k ? gemm_product(g, i, j, p) : 0;
}

static double first_term_lost(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    (void)tile;
    return p > 0 ? gemm_product(g, i, j, p) : 0;
}

/* A branch that is to save work. */
static double zero_terms_lost(const struct gemm *g, size_t i, size_t j,
                              size_t p, size_t tile)
{
    (void)tile;
    return a_at(g, i, p) == 0 || b_at(g, p, j) == 0
               ? 0 : gemm_product(g, i, j, p);
}

/* Of four terms that a float4 loads one is not used. */
double gemm_quarter_lost(const struct gemm *g, size_t i, size_t j, size_t p,
                           size_t member)
{
    return p % 4 == member ? 0 : gemm_product(g, i, j, p);
}

/* Of each group of terms only the first one counts. */
double gemm_first_of_group(const struct gemm *g, size_t i, size_t j, size_t p,
                           size_t group)
{
    return p % group ? 0 : gemm_product(g, i, j, p);
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

static double rounded_inputs(const struct gemm *g, size_t i, size_t j, size_t p,
                             size_t bits)
{
    return rounded(a_at(g, i, p), (int)bits)
           * rounded(b_at(g, p, j), (int)bits);
}

static double rounded_a(const struct gemm *g, size_t i, size_t j, size_t p,
                        size_t bits)
{
    return rounded(a_at(g, i, p), (int)bits) * b_at(g, p, j);
}

static double rounded_b(const struct gemm *g, size_t i, size_t j, size_t p,
                        size_t bits)
{
    return a_at(g, i, p) * rounded(b_at(g, p, j), (int)bits);
}

const struct gemm_term_mistake gemm_term_mistakes[] = {
    {"the sum without its last term", terms_hint, last_term_lost, NO_TILE},
    {"the sum without the terms in which a factor is 0",
     "0 times infinity is NaN: multiply and add all terms.", zero_terms_lost,
     NO_TILE},
    {"the sum without its first term", NULL, first_term_lost, NO_TILE},
    {"the sum of its first n terms, not k", end_hint, first_n_terms, NO_TILE},
    {"the sum of its first m terms, not k", end_hint, first_m_terms, NO_TILE},
    {"the sum without its last %zu terms, after the last whole tile",
     terms_hint, partial_tile_lost, REST},
    {"the sum without its last whole tile, of %zu terms", NULL,
     full_tile_lost, SIDE},
    {"the sum of its first %zu terms only", "Do all iterations add to the same "
     "sum?", gemm_only_first_tile, FIRST},
    {"the sum of its last %zu terms only: each tile, or launch, starts at 0 "
     "again and replaces the one before",
     "Set the sum to 0 once, before the loop over the tiles; of several "
     "launches all but the first one add to C.", only_last_tile, LAST},
    {"the sum without the last term of each tile of %zu", NULL,
     last_of_tile_lost, SIDE},
    {"the sum without the second half of the terms of each tile of %zu",
     "A loop over the terms in shared memory ends at the tile's width, and "
     "that over the tiles advances by the same width; shuffles that add the "
     "32 lanes of a warp begin with a distance of 16.",
     half_of_tile_lost, SIDE},
    {"the product with the first %zu columns of A in each tile",
     "Which variable of the loop over the tiles is in the index of A?",
     first_tile_of_a, FIRST},
    {"the product with the first %zu rows of B in each tile",
     "Which variable of the loop over the tiles is in the index of B?",
     first_tile_of_b, FIRST},
    {"the sum with its last term again for each term that a tile of %zu has "
     "past k", "Elements of a tile that lie outside of A and B are 0, not the "
     "nearest element.", last_term_repeated, SIDE},
    {"the product with A transposed", stride_hint, a_transposed, NO_TILE},
    {"the product with B transposed", stride_hint, b_transposed, NO_TILE},
    {"the product with n as A's row stride", stride_hint, a_stride_n, NO_TILE},
    {"the product with m as A's row stride", stride_hint, a_stride_m, NO_TILE},
    {"the product with k as B's row stride", stride_hint, b_stride_k, NO_TILE},
    {"the product with each tile of B, of %zu rows, that many rows of length k "
     "behind the one before, not n", stride_hint, b_step_of_k, SIDE},
    {"the product with each tile of A transposed", tile_hint,
     a_tile_transposed, SIDE},
    {"the product with each tile of B transposed", tile_hint,
     b_tile_transposed, SIDE},
    {"the product with A's tile checked against k by its row, not by its "
     "column", check_hint, a_checked_by_row, SIDE},
    {"the product with B's tile checked against k by its column, not by its "
     "row", check_hint, b_checked_by_column, SIDE},
    {"the product with the rows of A's tile chosen by the thread's column",
     thread_hint, a_rows_by_column, SIDE},
    {"the product with the columns of B's tile chosen by the thread's row",
     thread_hint, b_columns_by_row, SIDE},
    {"the product of each tile of B with that of A, in this order", "C = A B: "
     "the tile of A is the left factor.", tiles_exchanged, SIDE},
    {"the product of inputs rounded to %zu bits of mantissa: half or TF32",
     bits_hint, rounded_inputs, HALF_BITS},
    {"the product with A rounded to %zu bits of mantissa: half or TF32",
     bits_hint, rounded_a, HALF_BITS},
    {"the product with B rounded to %zu bits of mantissa: half or TF32",
     bits_hint, rounded_b, HALF_BITS},
    {"the product of inputs rounded to %zu bits of mantissa: bfloat16",
     bits_hint, rounded_inputs, BFLOAT16_BITS},
    {"the product with A rounded to %zu bits of mantissa: bfloat16", bits_hint,
     rounded_a, BFLOAT16_BITS},
    {"the product with B rounded to %zu bits of mantissa: bfloat16", bits_hint,
     rounded_b, BFLOAT16_BITS},
    {NULL, NULL, NULL, NO_TILE}};

/* SPDX-License-Identifier: MIT */
/* Blocks or warps that compute several tiles of a matrix product, one after another, and
 * do not set their sums to 0 for each. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "gemm_mistakes.h"
#include "gemm_terms.h"

/* Products for one way of walking: all of them must not take seconds. */
static const double max_products = 1 << 24;

/* How blocks, or their warps, walk over the tiles of C. */
struct walk {
    size_t rows, columns; /* of a tile */
    size_t blocks;        /* of the grid, or all their warps */
    bool is_warp;         /* the latter */
    bool is_down;         /* tiles are numbered down the columns of C */
    bool is_share;        /* a block has tiles in a row, not each blocks-th */
};

static size_t tiles_of(int elements, size_t tile)
{
    return ((size_t)elements + tile - 1) / tile;
}

/* Tiles of C. */
static size_t all_tiles(const struct gemm *g, const struct walk *w)
{
    return tiles_of(g->m, w->rows) * tiles_of(g->n, w->columns);
}

/* Tiles of a block, at most. */
static size_t tiles_of_block(const struct gemm *g, const struct walk *w)
{
    return (all_tiles(g, w) + w->blocks - 1) / w->blocks;
}

/* Row and column of the element that the same thread had in the tile that its
 * block computed before; it may lie outside of C.
 * @return false: this is the first tile */
static bool step_back(const struct gemm *g, const struct walk *w, size_t at[2])
{
    const size_t across = tiles_of(g->n, w->columns);
    const size_t down = tiles_of(g->m, w->rows);
    const size_t y = at[0] / w->rows, x = at[1] / w->columns;
    size_t tile = w->is_down ? x * down + y : y * across + x;

    if (w->is_share ? tile % tiles_of_block(g, w) == 0 : tile < w->blocks)
        return false;
    tile -= w->is_share ? 1 : w->blocks;
    at[0] = (w->is_down ? tile % down : tile / across) * w->rows
            + at[0] % w->rows;
    at[1] = (w->is_down ? tile / down : tile % across) * w->columns
            + at[1] % w->columns;
    return true;
}

/* The expected value of element e with the sums of the tiles before added, or
 * HYPOTHESIS_ANY where these are too large to be told apart. */
static double walked_value(const struct hypotheses *h, const struct gemm *g,
                           const struct walk *w, size_t e)
{
    const struct expected *expected = h->evidence->expected;
    size_t at[2] = {e / g->n, e % g->n}, tiles = 0;
    double sum = 0, right = 0, magnitude = 0, value, noise;

    do {
        for (size_t p = 0; p < (size_t)g->k; p++) {
            const double term = gemm_product(g, at[0], at[1], p);

            sum += term;
            magnitude += fabs(term);
        }
        right = tiles++ ? right : sum;
    } while (step_back(g, w, at));
    value = gemm_with_sum(g, expected->want[e], right, sum);
    noise = sqrt((double)g->k * (double)tiles) * 0x1p-24
            * fabs((double)g->alpha) * magnitude;
    if (isnan(value)
        || (tiles > 1 && noise > fmax(element_tolerance(expected, e) / 4,
                                      0x1p-22 * fabs(value))))
        return HYPOTHESIS_ANY;
    return value;
}

/* A walk, of which hypothesis_first_agree() asks the values. */
struct walked {
    const struct hypotheses *h;
    const struct gemm *g;
    const struct walk *w;
};

static double value_of_walk(const void *context, size_t e)
{
    const struct walked *one = context;

    return walked_value(one->h, one->g, one->w, e);
}

static void try_walk(struct hypotheses *h, const struct gemm *g,
                     const struct walk *w)
{
    const size_t tiles = tiles_of_block(g, w);
    const bool is_row = (size_t)g->m <= w->rows; /* higher ones do the same */
    const bool is_column = (size_t)g->n <= w->columns;
    double *values;
    char shape[64];

    if (tiles < 2
        || (double)hypothesis_count(h) * g->k * (double)tiles > max_products * 4
        || !hypothesis_first_agree(h, 64, value_of_walk,
                                   &(struct walked){h, g, w}))
        return;
    values = hypothesis_values(h);
    for (size_t e = 0; e < hypothesis_count(h); e++)
        values[e] = walked_value(h, g, w, e);
    if (is_row || is_column)
        snprintf(shape, sizeof shape, "%zu %s", is_row ? w->columns : w->rows,
                 is_row ? "columns" : "rows");
    else
        snprintf(shape, sizeof shape, "%zu x %zu", w->rows, w->columns);
    hypothesis_try(h, w->is_warp
                          ? "A warp that computes several tiles clears its "
                            "sums (fill_fragment) for each tile, before the "
                            "loop over the terms."
                          : "A block that computes several tiles sets the sums "
                            "of its threads to 0 for each tile, before the "
                            "loop over the terms.",
                   "the sum with that of the tiles which its %s computed "
                   "before: the %zu %s share %zu tiles of %s",
                   w->is_warp ? "warp" : "block", w->blocks,
                   w->is_warp ? "warps" : "blocks", all_tiles(g, w), shape);
}

void gemm_walk_mistakes(struct hypotheses *h, const struct gemm *g)
{
    enum { LEAST = 8, MOST = 256 }; /* side of a tile */
    const size_t fits = h->fits, blocks = hypothesis_grid_size(h);
    const size_t warps = hypothesis_block_size(h) / 32;

    if (blocks == 0 || g->k == 0
        || (double)hypothesis_count(h) * g->k > max_products)
        return;
    for (int way = 0; way < (warps > 1 ? 8 : 4); way++)
        for (size_t rows = LEAST; rows <= MOST; rows *= 2)
            for (size_t columns = LEAST;
                 columns <= MOST && h->fits == fits; columns *= 2)
                try_walk(h, g, &(struct walk){
                    rows, columns, way / 4 ? blocks * warps : blocks,
                    way / 4 == 1, way % 2 == 1, way / 2 % 2 == 1});
}

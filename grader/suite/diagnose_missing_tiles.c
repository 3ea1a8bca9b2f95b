/* SPDX-License-Identifier: MIT */
/* Tiles of a matrix that were never written, as no block or warp has them. */
#include "diagnose_missing_tiles.h"

#include <stdio.h>

enum { LEAST_TILE = 8, MOST_TILE = 256 };

static bool is_matrix(const struct evidence *e)
{
    return e->expected->size[1] && !e->expected->size[2] && e->facts
           && e->facts->launches == 1 && e->facts->block[0];
}

/* Are exactly the columns, or rows, from `first` on wrong? */
static bool are_wrong_from(const struct evidence *e, bool is_row, size_t first)
{
    const size_t columns = e->expected->size[1];

    for (size_t i = 0; i < evidence_count(e); i++)
        if (e->comparison->wrong_mask[i]
            != ((is_row ? i / columns : i % columns) >= first))
            return false;
    return true;
}

static bool is_tile(size_t side)
{
    return side >= LEAST_TILE && side <= MOST_TILE && !(side & (side - 1));
}

bool beyond_tiles(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;

    if (!is_matrix(e) || f->grid[0] < 2 || f->grid[1] * f->grid[2] < 2)
        return false;
    for (int is_row = 0; is_row < 2; is_row++) {
        const size_t columns = e->expected->size[1];
        const size_t blocks = is_row ? (size_t)f->grid[1] * f->grid[2]
                                     : f->grid[0];
        const size_t first = is_row ? e->comparison->first / columns
                                    : e->comparison->first % columns;

        if (first % blocks || !is_tile(first / blocks)
            || !are_wrong_from(e, is_row, first))
            continue;
        snprintf(text, DIAGNOSIS_SIZE, "never written: %ss from %zu on, where "
                 "the grid's %zu blocks in %c end if each stores %zu: is their "
                 "number rounded up, and that of the %s of a tile, not of its "
                 "%s?", is_row ? "row" : "column", first, blocks,
                 is_row ? 'y' : 'x', first / blocks,
                 is_row ? "height" : "width", is_row ? "width" : "height");
        return true;
    }
    return false;
}

bool overlapping_warps(const struct evidence *e, char *text)
{
    enum { LANES = 32, MOST_SIDE = 64 };
    const struct facts *f = e->facts;
    const size_t warps =
        f ? (size_t)f->block[0] * f->block[1] * f->block[2] / LANES : 0;

    for (int is_row = 0; is_matrix(e) && warps > 1 && is_row < 2; is_row++) {
        const size_t columns = e->expected->size[1];
        const size_t count = e->expected->size[!is_row];
        const size_t blocks = is_row ? (size_t)f->grid[1] * f->grid[2]
                                     : f->grid[0];
        const size_t first = is_row ? e->comparison->first / columns
                                    : e->comparison->first % columns;
        const size_t tiles = blocks - 1 + warps;

        if (blocks < 2 || first % tiles || !is_tile(first / tiles)
            || first / tiles > MOST_SIDE
            || first / tiles * blocks * warps < count
            || !are_wrong_from(e, is_row, first))
            continue;
        snprintf(text, DIAGNOSIS_SIZE, "never written: %ss from %zu on, where "
                 "%zu blocks of %zu warps end if a block begins one tile of "
                 "%zu behind the one before: should that be %zu tiles, one for "
                 "each warp?", is_row ? "row" : "column", first, blocks, warps,
                 first / tiles, warps);
        return true;
    }
    return false;
}

/* Tiles of C, counted row by row. */
struct tiles {
    size_t height, width; /* of a tile */
    size_t down, across;  /* tiles */
};

static size_t tile_of(const struct evidence *e, const struct tiles *t, size_t i)
{
    const size_t columns = e->expected->size[1];

    return i / columns / t->height * t->across + i % columns / t->width;
}

/* Are exactly the tiles from this one on wrong? */
static bool are_last_tiles(const struct evidence *e, const struct tiles *t,
                           size_t tile)
{
    for (size_t i = 0; i < evidence_count(e); i++)
        if (e->comparison->wrong_mask[i] != (tile_of(e, t, i) >= tile))
            return false;
    return true;
}

/* One tile for each of so many blocks, or warps.  Whole rows of tiles are rows
 * of the matrix that some other loop left out: a tile's width is a guess. */
static bool name_last_tiles(const struct evidence *e, const struct tiles *t,
                            size_t count, const char *things, char *text)
{
    const size_t tiles = t->down * t->across;

    if (count < 2 || count >= tiles || count % t->across == 0
        || !are_last_tiles(e, t, count))
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "never written: the last %zu of %zu x %zu "
             "tiles, if these are %zu x %zu, and %zu %s ran: a partial tile "
             "needs one, too, so round up the tiles down and those across, "
             "then multiply", tiles - count, t->down, t->across, t->height,
             t->width, count, things);
    return true;
}

/* Tiles of this height and width. */
static bool try_tiles(const struct evidence *e, size_t height, size_t width,
                      char *text)
{
    enum { LANES = 32 };
    const struct facts *f = e->facts;
    const size_t *size = e->expected->size;
    const size_t blocks = (size_t)f->grid[0] * f->grid[1] * f->grid[2];
    const size_t threads = (size_t)f->block[0] * f->block[1] * f->block[2];
    const struct tiles t = {height, width, (size[0] + height - 1) / height,
                            (size[1] + width - 1) / width};

    return t.down > 1 && t.across > 1
           && (name_last_tiles(e, &t, blocks * (threads / LANES), "warps",
                               text)
               || name_last_tiles(e, &t, blocks, "blocks", text));
}

/* Square tiles first: they are the usual ones. */
bool last_tiles(const struct evidence *e, char *text)
{
    bool fits = false;

    if (!is_matrix(e))
        return false;
    for (size_t side = LEAST_TILE; !fits && side <= MOST_TILE; side *= 2)
        fits = try_tiles(e, side, side, text);
    for (size_t h = LEAST_TILE; !fits && h <= MOST_TILE; h *= 2)
        for (size_t w = LEAST_TILE; !fits && w <= MOST_TILE; w *= 2)
            fits = try_tiles(e, h, w, text);
    return fits;
}

/* SPDX-License-Identifier: MIT */
/* Elements that nothing was stored to, since the grid does not reach them. */
#include "diagnose_grid.h"

#include <stdio.h>

enum { MAX_CHANNELS = 4 }; /* of an image; more is a third dimension */

static size_t tiles_of(size_t elements, size_t tile)
{
    return elements / tile + (elements % tile != 0);
}

/* A matrix, and where it ends in what was written. */
struct part {
    const size_t *size; /* rows and columns of the output */
    size_t missing;     /* the first column or row that was not written */
    bool is_column;
};

/* A launch: elements of a block and blocks in x and y. */
struct tiling {
    size_t tile[2], blocks[2];
    bool x_is_down; /* the kernel uses x for rows of its output */
};

/* How many blocks does the output need in x, or y? */
static size_t needed_blocks(const struct part *p, const struct tiling *t, int d)
{
    return tiles_of(p->size[(d == 0) != t->x_is_down], t->tile[d]);
}

/* Does the grid fit with its dimensions exchanged, and not as it is, and do
 * its blocks end where the output does? */
static bool is_exchanged(const struct part *p, const struct tiling *t)
{
    const int d = p->is_column == t->x_is_down; /* of what is missing */
    const int x_is_needed_in = !t->x_is_down;

    if (!t->tile[0] || !t->tile[1]
        || p->missing != t->blocks[d] * t->tile[d])
        return false;
    if (needed_blocks(p, t, 0) == t->blocks[0]
        && needed_blocks(p, t, 1) == t->blocks[1])
        return false;
    return (tiles_of(p->size[!x_is_needed_in], t->tile[0]) == t->blocks[0]
            && tiles_of(p->size[x_is_needed_in], t->tile[1]) == t->blocks[1])
           || (needed_blocks(p, t, 0) == t->blocks[1] /* counts exchanged */
               && needed_blocks(p, t, 1) == t->blocks[0]);
}

static bool name_exchanged(const struct part *p, const struct tiling *t,
                           char *text)
{
    const size_t *n = t->blocks, *tile = t->tile;
    /* a check with the sides exchanged leaves as much out */
    const bool may_be_check = p->missing == p->size[p->is_column ? 0 : 1];
    const char *cause = may_be_check
                            ? "are its x and y exchanged, those of blockIdx in "
                              "the kernel, or rows and columns in the store's "
                              "bounds check?"
                            : "are its x and y exchanged, or those of blockIdx "
                              "in the kernel?";
    char side[48] = "";

    if (!is_exchanged(p, t))
        return false;
    if (tile[0] != tile[1])
        snprintf(side, sizeof side, " x %zu", tile[1]);
    snprintf(text, DIAGNOSIS_SIZE, t->x_is_down
             ? "never written: the grid has %zu x %zu blocks, and tiles of "
               "%zu%s are %zu down the output, where x goes, and %zu to the "
               "right: %s"
             : "never written: the grid has %zu x %zu blocks, and tiles of "
               "%zu%s are %zu to the right and %zu down: %s",
             n[0], n[1], tile[0], side, needed_blocks(p, t, 0),
             needed_blocks(p, t, 1), cause);
    return true;
}

bool has_square_tiles(const struct evidence *e)
{
    const struct facts *f = e->facts;
    const size_t *size = e->expected->size, side = f->block[0];
    const size_t down = (size_t)f->grid[1] * f->grid[2];

    return side > f->block[1] && f->grid[0] == tiles_of(size[1], side)
           && down == tiles_of(size[0], side);
}

/* A usual side of a tile, of which so many blocks have these lines; else 0. */
static size_t side_of_tile(size_t lines, size_t blocks)
{
    const size_t side = lines / blocks;

    return side & (side - 1) ? 0 : side;
}

/* Tiles may be square, whatever the block is, or have its sides. */
bool exchanged_grid(const struct evidence *e, char *text)
{
    const size_t *size = e->expected->size;
    const size_t first = e->comparison->first / (size[2] ? size[2] : 1);
    const struct facts *f = e->facts;
    /* the first one is in row 0, or in the first row that is missing */
    const bool in_row_0 = size[1] && first < size[1];
    const struct part part = {
        size, in_row_0 || !size[1] ? first : first / size[1], in_row_0};
    bool is_named = false;

    if (!f || !f->grid[0] || !size[1] || size[2] > MAX_CHANNELS)
        return false;
    for (int k = 0; k < (has_square_tiles(e) ? 2 : 4) && !is_named; k++) {
        struct tiling t = {{f->block[0], f->block[1]},
                           {f->grid[0], (size_t)f->grid[1] * f->grid[2]},
                           k % 2 == 1};

        if (k < 2) /* square */
            t.tile[0] = t.tile[1] = side_of_tile(
                part.missing, t.blocks[part.is_column == t.x_is_down]);
        is_named = name_exchanged(&part, &t, text);
    }
    return is_named;
}

/* Elements of an image, as many as it has pixels, or a channel or two more. */
bool one_for_each_pixel(const struct evidence *e, char *text)
{
    const size_t *size = e->expected->size;
    const size_t pixels = size[0] * size[1], first = e->comparison->first;
    const size_t after = evidence_count(e) - first;

    if (size[2] < 2 || size[2] > MAX_CHANNELS || first < pixels
        || first >= pixels + size[2]
        || e->comparison->wrong < after - after / 16)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "never written: only the first %zu were, as "
             "if each of the %zu pixels had one: is `* channels` missing in "
             "the index of the store?", first, pixels);
    return true;
}

/* The number of rows before the first one of a tail that was not written; 0:
 * the wrong elements are not all of the last rows, or of the last elements of
 * a single one.  A byte of the pattern may be right by chance. */
static size_t rows_written(const struct evidence *e)
{
    const size_t *size = e->expected->size;
    const size_t depth = size[2] ? size[2] : 1;
    const size_t row = size[1] && size[0] > 1 ? size[1] * depth : depth;
    const size_t first = e->comparison->first;
    const size_t after = evidence_count(e) - first;
    const size_t chance = e->expected->type == UINT8 ? after / 16 : 0;

    return size[1] && first % row == 0 && e->comparison->wrong + chance >= after
               ? first / row : 0;
}

/* Rows are stored at a stride above their length: between them there are
 * gaps. */
bool gaps_between_rows(const struct evidence *e, char *text)
{
    const size_t *size = e->expected->size, count = evidence_count(e);
    const size_t row = size[1] * (size[2] ? size[2] : 1);
    size_t stride = row, gaps = 0;

    if (row == 0 || e->comparison->first != row)
        return false;
    while (stride < count && e->comparison->wrong_mask[stride])
        stride++;
    if (2 * stride >= count)
        return false;
    for (size_t i = 0; i < count; i++) {
        gaps += i % stride >= row;
        if (e->comparison->wrong_mask[i] && i % stride < row)
            return false;
    }
    if (e->comparison->wrong < gaps - gaps / 16)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "never written: rows of %zu elements were "
             "stored %zu apart: is the row stride rounded up?", row, stride);
    return true;
}

/* The y dimension of the grid continues in z, and the kernel does not know. */
bool only_first_layer(const struct evidence *e, char *text)
{
    enum { MOST_ROWS = 1024 }; /* of a tile */
    const struct facts *f = e->facts;
    const size_t rows = rows_written(e);

    if (!f || f->grid[2] < 2 || f->block[2] != 1 || rows == 0
        || rows % f->grid[1] || rows / f->grid[1] > MOST_ROWS)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "never written: of the %u x %u x %u blocks "
             "only those with blockIdx.z = 0 stored: is the row of tiles "
             "blockIdx.z * gridDim.y + blockIdx.y?", f->grid[0], f->grid[1],
             f->grid[2]);
    return true;
}

/* The grid counts blocks with the height of a tile across and its width down:
 * the blocks that there are store whole tiles, and the last rows are left. */
bool exchanged_tile_sides(const struct evidence *e, char *text)
{
    enum { MOST = 8, /* times as wide as high */
           TELLING = 16 /* rows of a block, where there is one alone */ };
    const struct facts *f = e->facts;
    const size_t *size = e->expected->size, rows = rows_written(e);
    const size_t down = f ? (size_t)f->grid[1] * f->grid[2] : 0;
    const size_t height = down ? rows / down : 0;

    if (!height || rows % down || height & (height - 1) || size[2]
        || ((down < 2 || f->grid[0] < 2) && height < TELLING))
        return false;
    for (size_t width = 2 * height; width <= MOST * height; width *= 2) {
        if (tiles_of(size[0], width) != down
            || tiles_of(size[1], height) != f->grid[0]
            || tiles_of(size[0], height) == down)
            continue;
        snprintf(text, DIAGNOSIS_SIZE, "never written: a block stores %zu "
                 "rows, and %zu blocks down are too few: the grid of %u x %zu "
                 "blocks is that of tiles of %zu rows and %zu columns: are the "
                 "sides of the tile exchanged there, or are blocks missing?",
                 height, down, f->grid[0], down, width, height);
        return true;
    }
    return false;
}

/* Does a grid whose dimensions x and y are columns and rows cover all, and are
 * all wrong elements outside of its first block, and nearly all of those wrong?
 * A byte of the pattern may be right by chance.
 * count: of elements outside, at least */
static bool is_all_but_first(const struct evidence *e, int x, int y,
                             size_t count)
{
    const struct facts *f = e->facts;
    const size_t *size = e->expected->size;
    const size_t depth = size[2] ? size[2] : 1;
    const size_t width = size[1] ? size[1] : size[0];
    const size_t height = size[1] ? size[0] : 1;
    const size_t columns = f->block[x], rows = f->block[y];
    size_t outside = 0;

    if (columns * f->grid[x] * (x ? f->grid[2] : 1) < width
        || rows * f->grid[y] * (y ? f->grid[2] : 1) < height)
        return false;
    for (size_t i = 0; i < evidence_count(e); i++) {
        const size_t pixel = i / depth;

        if (pixel % width >= columns || pixel / width >= rows)
            outside++;
        else if (e->comparison->wrong_mask[i])
            return false;
    }
    return outside >= count
           && e->comparison->wrong
                  >= outside - (element_bytes(e->expected->type) == 1
                                    ? outside / 16 : 0);
}

/* Many blocks ran, and what the first one alone owns is right: of a vector, of
 * a matrix, or of one whose rows and columns are exchanged.  Some elements more
 * than a block has may also be the rest of a division: of n by 4, which a launch
 * of one block stores and one of several loses, or by the number of blocks. */
bool only_first_block(const struct evidence *e, char *text)
{
    enum { MORE_THAN_REST = 4 };
    const struct facts *f = e->facts;

    if (!f || f->launches == 0 || !e->comparison->wrong_mask || !f->block[0]
        || (uint64_t)f->grid[0] * f->grid[1] * f->grid[2] < 2
        || e->expected->size[2] > MAX_CHANNELS)
        return false;
    if (!is_all_but_first(e, 0, 1, 1) && !is_all_but_first(e, 1, 0, 1))
        return false;
    return diagnose(text, e->comparison->wrong >= MORE_THAN_REST
                                  && e->comparison->wrong >= f->grid[0]
                              ? "never written: only the elements of the first "
                                "block were; does each index contain blockIdx?"
                              : "never written: those behind as many as a block "
                                "has threads: does each index contain blockIdx? "
                                "Or is a division rounded down, as n / 4 or "
                                "n / gridDim.x, and leaves a rest?");
}

/* Blocks of `tile` that cover an output. */
static size_t blocks_of(const size_t *size, size_t columns, size_t rows)
{
    return tiles_of(size[1], columns) * tiles_of(size[0], rows);
}

/* Are nearly all elements of rows, or columns, behind the first `width` of each
 * `period` wrong, and no others?  A byte of the pattern may be right by
 * chance. */
static bool is_comb(const struct evidence *e, bool is_column, size_t period,
                    size_t width)
{
    const size_t *size = e->expected->size;
    const size_t depth = size[2] ? size[2] : 1;
    size_t behind = 0;

    for (size_t i = 0; i < evidence_count(e); i++) {
        const size_t pixel = i / depth;
        const size_t line = is_column ? pixel % size[1] : pixel / size[1];

        if (line % period >= width)
            behind++;
        else if (e->comparison->wrong_mask[i])
            return false;
    }
    return behind > 0 && e->comparison->wrong >= behind - behind / 16;
}

bool has_exchanged_block(const struct evidence *e)
{
    const struct facts *f = e->facts;
    const size_t *size = e->expected->size;
    size_t x, y, most, blocks;

    if (!f || f->launches == 0 || !e->comparison->wrong_mask || !size[1]
        || size[2] > MAX_CHANNELS || f->block[2] != 1)
        return false;
    x = f->block[0];
    y = f->block[1];
    most = x < y ? y : x;
    blocks = (size_t)f->grid[0] * f->grid[1] * f->grid[2];
    /* of square tiles a loop over rows may be lost instead */
    return x > 1 && y > 1 && x != y && blocks >= blocks_of(size, y, x)
           && blocks > blocks_of(size, most, most)
           && is_comb(e, x < y, most, x < y ? x : y);
}

/* The kernel's index counts tiles of y x x threads, where the block is x x y.
 * Of an output of a single tile the first block alone leaves as much. */
bool exchanged_block(const struct evidence *e, char *text)
{
    const unsigned *block = e->facts ? e->facts->block : NULL;
    const bool is_column = block && block[0] < block[1];
    const char *lines = is_column ? "columns" : "rows";
    size_t period, width;

    if (!has_exchanged_block(e))
        return false;
    period = is_column ? block[1] : block[0];
    width = is_column ? block[0] : block[1];
    if (e->expected->size[is_column] > period)
        snprintf(text, DIAGNOSIS_SIZE, "never written: of each %zu %s only the "
                 "first %zu were: a block has %u x %u threads; does the index "
                 "count tiles of %u x %u, with x and y exchanged?", period,
                 lines, width, block[0], block[1], block[1], block[0]);
    else
        snprintf(text, DIAGNOSIS_SIZE, "never written: only the first %zu %s "
                 "were; does each index contain blockIdx? Or does it count "
                 "tiles of %u x %u, with x and y exchanged? A block has %u x "
                 "%u threads", width, lines, block[1], block[0], block[0],
                 block[1]);
    return true;
}

bool past_the_threads(const struct evidence *e, char *text)
{
    const struct comparison *c = e->comparison;
    const struct facts *f = e->facts;
    const size_t threads =
        f ? (size_t)f->block[0] * f->block[1] * f->block[2] : 0;

    if (!f || f->launches != 1 || f->grid[0] * f->grid[1] * f->grid[2] != 1
        || c->first != threads || c->wrong != c->count - threads)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "read from shared memory that no thread "
             "set: the block has %zu threads, and %zu elements: does each "
             "thread set a single one?", threads, c->count);
    return true;
}

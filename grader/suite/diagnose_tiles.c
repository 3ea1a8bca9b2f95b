/* SPDX-License-Identifier: MIT */
/* Rows or columns that were never written, by tiles. */
#include "diagnose_tiles.h"

#include <stdio.h>
#include <string.h>

#include "diagnose_grid.h"
#include "state.h"

/* Rows or columns of a matrix, and those of a tile. */
struct side {
    const char *name;
    size_t count;   /**< of the matrix */
    size_t tile;    /**< of a tile */
    size_t threads; /**< of a tile that a block stores at a time */
    bool is_row;
};

static size_t index_in(const struct evidence *e, const struct side *s, size_t i)
{
    const size_t columns = e->expected->size[1];

    return s->is_row ? i / columns : i % columns;
}

/* Are exactly the rows, or columns, from `start` on in each group wrong? */
static bool are_wrong_from(const struct evidence *e, const struct side *s,
                           size_t group, size_t start)
{
    for (size_t i = 0; i < evidence_count(e); i++)
        if (e->comparison->wrong_mask[i]
            != (index_in(e, s, i) % group >= start))
            return false;
    return true;
}

/* Rows or columns of the output, and the tile of a block whose threads store a
 * part of it at a time; no tile: 0. */
static struct side side_of(const struct evidence *e, bool is_row)
{
    enum { LANES = 32 };
    const unsigned *block = e->facts->block;
    const bool is_line = block[1] == 1;
    const size_t tile = is_line ? LANES : block[0];
    const size_t threads = is_line ? block[0] / LANES : block[1];
    const bool has_passes = threads > 0 && threads < tile
                            && tile % threads == 0;

    return (struct side){is_row ? "rows" : "columns",
                         e->expected->size[!is_row], has_passes ? tile : 0,
                         threads, is_row};
}

static bool is_matrix(const struct evidence *e)
{
    return e->expected->size[1] && !e->expected->size[2] && e->facts
           && e->facts->launches == 1 && e->facts->block[0];
}

/* "rows 2 to 7", or "row 2" */
static void name_lines(const struct side *s, size_t first, size_t last,
                       char text[48])
{
    if (first == last)
        snprintf(text, 48, "%.*s %zu", (int)strlen(s->name) - 1, s->name,
                 first);
    else
        snprintf(text, 48, "%s %zu to %zu", s->name, first, last);
}

/* The shape of a tile that a line of threads stores is a guess, which the end
 * of a single tile does not confirm. */
bool ends_of_tiles(const struct evidence *e, char *text)
{
    for (int k = 0; is_matrix(e) && k < 2; k++) {
        const struct side s = side_of(e, k == 0);
        const size_t first = index_in(e, &s, e->comparison->first);
        char lines[48];

        if (!s.tile || first == 0 || first >= s.tile || first % s.threads
            || (e->facts->block[1] == 1 && s.count <= s.tile)
            || !are_wrong_from(e, &s, s.tile, first))
            continue;
        name_lines(&s, first, (s.count < s.tile ? s.count : s.tile) - 1,
                   lines);
        snprintf(text, DIAGNOSIS_SIZE, "never written: %s%s, and the %zu "
                 "threads of a block store %zu %s at a time: where does the "
                 "loop that stores end%s?", lines,
                 s.count > s.tile ? " of each tile" : "",
                 s.threads * s.tile, s.threads, s.name,
                 first == s.threads ? ", and how far does it go on at a time"
                                    : "");
        return true;
    }
    return false;
}

/* A loop that goes on by more rows than the block has threads for. */
bool gaps_between_passes(const struct evidence *e, char *text)
{
    for (int k = 0; is_matrix(e) && k < 2; k++) {
        const struct side s = side_of(e, k == 0);
        size_t step = 2 * s.threads;

        if (e->facts->block[1] == 1)
            return false; /* its threads may be those of another tile */
        while (s.tile && step < s.tile
               && !are_wrong_from(e, &s, step, s.threads))
            step *= 2;
        if (!s.tile || step >= s.tile || s.count <= step)
            continue;
        snprintf(text, DIAGNOSIS_SIZE, "never written: of each %zu %s only the "
                 "first %zu were, and the %zu threads of a block store %zu at "
                 "a time: does the loop that stores go on by %zu, not by as "
                 "many as that?", step, s.name, s.threads,
                 s.threads * s.tile, s.threads, step);
        return true;
    }
    return false;
}

/* Do the blocks of the grid, in one of its dimensions, end here? */
static bool is_end_of_grid(const struct facts *f, size_t at)
{
    const size_t x = f->grid[0], y = (size_t)f->grid[1] * f->grid[2];

    return f->block[1] > 1
           && (at == x * f->block[0] || at == y * f->block[1]
               || at == y * f->block[0]);
}

bool is_previous_grid(const struct evidence *e)
{
    return e->previous && e->previous_count < evidence_count(e)
           && !memcmp(suite_state.previous_grid, e->facts->grid,
                      sizeof e->facts->grid);
}

/* A grid that is as high as can be, and whose threads have one row each. */
static bool is_highest_grid(const struct evidence *e, size_t first, char *text)
{
    enum { MOST = 65535 };
    const struct facts *f = e->facts;

    if (f->grid[1] != MOST || f->grid[2] != 1
        || first != (size_t)MOST * f->block[1])
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "never written: rows from %zu = 65535 x %u "
             "on: gridDim.y is 65535, more are not allowed, and blocks have "
             "%u row%s each: each thread has to loop over further rows, by "
             "gridDim.y * blockDim.y", first, f->block[1], f->block[1],
             f->block[1] == 1 ? "" : "s");
    return true;
}

bool beyond_grid(const struct evidence *e, char *text)
{
    const struct facts *f = e->facts;

    if (!is_matrix(e) || has_square_tiles(e))
        return false;
    for (int k = 0; k < 2; k++) {
        const struct side s = side_of(e, k == 0);
        const size_t first = index_in(e, &s, e->comparison->first);

        if (first == 0 || !is_end_of_grid(f, first)
            || !are_wrong_from(e, &s, s.count, first))
            continue;
        if (k == 0 && is_highest_grid(e, first, text))
            return true;
        snprintf(text, DIAGNOSIS_SIZE, "never written: %s from %zu on; the "
                 "grid has %u x %u blocks of %u x %u threads%s: is their "
                 "number rounded up, and computed anew in each call?", s.name,
                 first, f->grid[0], f->grid[1] * f->grid[2], f->block[0],
                 f->block[1],
                 is_previous_grid(e)
                     ? ", as in the call before for a smaller output" : "");
        return true;
    }
    return false;
}

bool rest_of_pairs(const struct evidence *e, char *text)
{
    enum { LEAST_TILE = 8 };

    for (int k = 0; is_matrix(e) && k < 2; k++) {
        const struct side s = side_of(e, k == 0);
        const size_t first = s.count / 2 * 2;

        if (first == 0 || first == s.count
            || !are_wrong_from(e, &s, s.count, first))
            continue;
        snprintf(text, DIAGNOSIS_SIZE, "never written: %s from %zu on, of %zu: "
                 "%sdoes a thread that moves 2 of them leave out a single one, "
                 "or is a bounds check short?", s.name, first, s.count,
                 first % LEAST_TILE ? "" : "do the tiles of the blocks, or "
                                           "their warps, end there, ");
        return true;
    }
    return false;
}

bool overlapping_blocks(const struct evidence *e, char *text)
{
    enum { MOST = 32 };
    const size_t count = evidence_count(e), first = e->comparison->first;
    const struct facts *f = e->facts;
    const size_t block = f ? f->block[0] : 0, grid = f ? f->grid[0] : 0;

    if (!f || f->launches != 1 || grid < 2 || f->grid[1] * f->grid[2] != 1
        || f->block[1] * f->block[2] != 1 || e->expected->size[1]
        || e->comparison->wrong != count - first)
        return false;
    for (size_t items = 2; items <= MOST; items++)
        if (first == (grid - 1 + items) * block
            && grid == (count + items * block - 1) / (items * block)) {
            snprintf(text, DIAGNOSIS_SIZE, "never written: %zu blocks of %zu "
                     "threads with %zu elements each end here if a block "
                     "begins %zu elements behind the one before: should that "
                     "be %zu?", grid, block, items, block, items * block);
            return true;
        }
    return false;
}

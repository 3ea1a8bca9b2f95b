/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 03: tiles, their swizzles, strides, bounds checks. */
#include "mistakes.h"

enum { LEAST = 4 }; /* elements, which are the same by chance no longer */

#define COUNT(array) (sizeof(array) / sizeof *(array))

static double element_at(const struct matrix *m, size_t row, size_t col)
{
    return row < m->rows && col < m->cols
               ? element_value(m->in, m->type, row * m->cols + col)
               : HYPOTHESIS_ANY;
}

/* Only one of two steps is done: tiles are exchanged, or the elements in
 * them. */
static void half_transposed(struct hypotheses *h, const struct matrix *m,
                            size_t tile, bool tiles_exchanged)
{
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < m->rows * m->cols; i++) {
        const size_t row = i / m->rows, col = i % m->rows;
        const size_t y = row % tile, x = col % tile;

        values[i] = tiles_exchanged
                        ? element_at(m, col - x + y, row - y + x)
                        : element_at(m, row - y + x, col - x + y);
    }
    hypothesis_try(
        h, "Tile (i, j) goes to (j, i), and within a tile element (y, x) goes "
        "to (x, y): both indices change.",
        tiles_exchanged
            ? "that of tiles of %zu x %zu in their right places, but not "
              "transposed inside"
            : "that of tiles of %zu x %zu that are transposed inside, but "
              "stored where they were", tile, tile);
}

/* An index with the row stride of the other matrix. */
static void wrong_stride(struct hypotheses *h, const struct matrix *m)
{
    const size_t count = m->rows * m->cols;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < count; i++) { /* of the load */
        const size_t from = i % m->rows * m->rows + i / m->rows;

        values[i] = from < count ? element_value(m->in, m->type, from)
                                 : HYPOTHESIS_ANY;
    }
    hypothesis_try(h, "The row stride of the input is `cols`.",
                   "loaded with the row stride of the output");
    values = hypothesis_values(h);
    for (size_t i = 0; i < count; i++)
        values[i] = HYPOTHESIS_ANY;
    for (size_t i = 0; i < count; i++) { /* of the store */
        const size_t to = i / m->rows * m->cols + i % m->rows;

        if (to < count)
            values[to] = element_at(m, i % m->rows, i / m->rows);
    }
    hypothesis_try(h, "The row stride of the output is `rows`.",
                   "stored with the row stride of the input");
}

/* A warp transposes a tile in its registers: in one round for each bit of the
 * lane, elements of registers and lanes that differ in this bit are exchanged.
 * Where both bits are equal, the round changes nothing. */
static void rounds_left_out(struct hypotheses *h, const struct matrix *m,
                            size_t bits)
{
    enum { LANES = 32 };
    const size_t low = bits & -bits, high = bits & ~(bits >> 1);
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < m->rows * m->cols; i++) {
        const size_t row = i / m->rows, col = i % m->rows;
        const size_t differ = (row ^ col) % LANES & bits;

        values[i] = element_at(m, col ^ differ, row ^ differ);
    }
    hypothesis_try(h, "In registers, a tile is transposed in five rounds of "
                   "shuffles, at 16, 8, 4, 2 and 1: does the loop over them "
                   "begin and end there?", low == high
                   ? "that of a tile whose rows and columns are exchanged but "
                     "for the bit of %zu: no round exchanges elements at this "
                     "distance"
                   : "that of a tile whose rows and columns are exchanged but "
                     "for the bits of %zu to %zu: no round exchanges elements "
                     "at these distances", low, high);
}

/* One round, or the first or last two or three; without those at 4, 2 and 1,
 * tiles of 8 are not transposed.  Smaller matrices would be copied. */
static void try_rounds(struct hypotheses *h, const struct matrix *m)
{
    static const size_t left_out[] = {1, 2, 4, 8, 16, 3, 24, 28};

    for (size_t k = 0; k < COUNT(left_out); k++)
        if (left_out[k] + 1 < m->rows || left_out[k] + 1 < m->cols)
            rounds_left_out(h, m, left_out[k]);
}

/* The element of a tile's cell that a load reads, whose row and column are
 * exclusive-ored with others than at the store. */
static double swizzled_element(const struct matrix *m, size_t i, size_t step,
                               size_t tile)
{
    const size_t row = i / m->rows, col = i % m->rows;
    const size_t y = row % tile, x = col % tile, other = step ? y % step : 0;

    return element_at(m, col, row - y + (y ^ x ^ other));
}

/* The cells of four rows: column c of a tile has those of float4 f at
 * f ^ c / 4, and is read at f.
 * vectors: of a row of the tile, a power of two */
static double swizzled_vector(const struct matrix *m, size_t i, size_t vectors)
{
    enum { WIDTH = 4 };
    const size_t row = i / m->rows, col = i % m->rows;

    return element_at(m, col ^ row / WIDTH % vectors * WIDTH, row);
}

static void try_swizzle(struct hypotheses *h, const char *name)
{
    h->is_whole = true;
    hypothesis_try(h, "An element is read where it was stored: at its row and "
                   "its column ^ f(row) of the tile, with the same f. The row "
                   "is the same one as at the store, not the thread's "
                   "own.", "another of its tile: %s is stored at a place that "
                   "is swizzled otherwise than the one that is read", name);
    h->is_whole = false;
}

/* The swizzle is left out on one side, or has the row of a thread in place of
 * the row of the tile.  In small matrices several of these are the same, and a
 * few elements that have another's value are no swizzle. */
static void try_swizzles(struct hypotheses *h, const struct matrix *m)
{
    const size_t count = m->rows * m->cols, fits = h->fits;

    if (h->evidence->comparison->wrong < LEAST)
        return;
    for (size_t tile = 16; tile <= 32; tile *= 2)
        for (size_t step = 0; step <= 16 && h->fits == fits;
             step = step ? 2 * step : 1) {
            double *values = hypothesis_values(h);

            for (size_t i = 0; i < count; i++)
                values[i] = swizzled_element(m, i, step, tile);
            try_swizzle(h, "an element");
        }
    for (size_t vectors = 8; vectors <= 16 && h->fits == fits; vectors *= 2) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < count; i++)
            values[i] = swizzled_vector(m, i, vectors);
        try_swizzle(h, "a float4");
    }
}

/* Only rows below the rows of the input are stored, and columns below its
 * columns: some of these are others' elements in the next row, where either may
 * be the last one. */
static void checked_by_input(struct hypotheses *h, const struct matrix *m)
{
    const struct evidence *e = h->evidence;
    double *values;

    /* so many are behind the last one that is stored */
    if (!e->poison || m->cols <= m->rows
        || (m->cols - m->rows) * (m->rows - 1) < LEAST)
        return;
    values = hypothesis_values(h);
    for (size_t i = m->rows * m->rows; i < m->rows * m->cols; i++)
        values[i] = element_value(e->poison, m->type, i);
    for (size_t row = 0; row < m->rows; row++)
        for (size_t col = m->rows; col < m->cols; col++)
            if (row * m->rows + col < m->rows * m->cols)
                values[row * m->rows + col] = HYPOTHESIS_ANY;
    hypothesis_try(h, "Check the store against the sides of the output: it has "
                   "`cols` rows of `rows` elements.",
                   "that of a store whose row and column in the output are "
                   "checked against the sides of the input, %zu and %zu: rows "
                   "from %zu on are never written, and columns from %zu on are "
                   "in the next row", m->rows, m->cols, m->rows, m->rows);
}

void transpose_mistakes(struct hypotheses *h, const void *context)
{
    const struct matrix *m = context;

    if (m->rows < 2 || m->cols < 2)
        return;
    checked_by_input(h, m);
    for (size_t tile = 8; tile <= 64; tile *= 2) {
        if (tile > m->rows && tile > m->cols)
            continue; /* a single tile: not different from a copy */
        half_transposed(h, m, tile, true);
        half_transposed(h, m, tile, false);
    }
    try_rounds(h, m);
    if (!h->fits)
        try_swizzles(h, m);
    if (m->rows != m->cols)
        wrong_stride(h, m);
}

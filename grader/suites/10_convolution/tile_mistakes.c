/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 10 in a tile with its halo in shared memory. */
#include "mistakes.h"

#include <math.h>

/* A block's pixels and the halo around them. */
struct tile {
    int width, height;               /* of the block's pixels */
    int region_width, region_height; /* with the halo */
};

/* How the tile is read. */
enum reading {
    STRIDE_OF_BLOCK,  /* with the row stride of the block, without the halo */
    STRIDE_OF_HEIGHT, /* with the region's height as its row stride */
    INSIDE_ONLY,      /* the halo is the nearest pixel of the block's own */
    ZERO_HALO         /* the halo is 0 */
};

static int clamp_int(int i, int first, int last)
{
    return i < first ? first : i < last ? i : last;
}

/* The pixel of the image nearest to (x, y). */
static double nearest(const struct convolution_case *c, int x, int y)
{
    const struct convolution_shape *s = &c->shape;

    x = clamp_int(x, 0, s->width - 1);
    y = clamp_int(y, 0, s->height - 1);
    return c->in[y * s->width + x];
}

/* What is read for element `at`, a column and a row, of the tile of the block
 * whose first pixel is `first`. */
static double tile_element(const struct convolution_case *c,
                           const struct tile *t, enum reading reading,
                           const int at[2], const int first[2])
{
    const int left = c->shape.columns / 2, top = c->shape.rows / 2;
    int column = at[0], row = at[1];

    if (reading == STRIDE_OF_BLOCK || reading == STRIDE_OF_HEIGHT) {
        const int i = column + row * (reading == STRIDE_OF_BLOCK
                                          ? t->width : t->region_height);

        column = i % t->region_width;
        row = i / t->region_width;
        if (row >= t->region_height)
            return HYPOTHESIS_ANY;
    } else {
        const int x = clamp_int(column, left, left + t->width - 1);
        const int y = clamp_int(row, top, top + t->height - 1);

        if (reading == ZERO_HALO && (x != column || y != row))
            return 0;
        column = x;
        row = y;
    }
    return nearest(c, first[0] - left + column, first[1] - top + row);
}

static double sum_of_tile(const struct convolution_case *c,
                          const struct tile *t, enum reading reading, int x,
                          int y)
{
    const struct convolution_shape *s = &c->shape;
    const int first[] = {x / t->width * t->width, y / t->height * t->height};
    double sum = 0;

    for (int i = 0; i < s->rows * s->columns; i++) {
        const int at[] = {x - first[0] + i % s->columns,
                          y - first[1] + i / s->columns};
        const double pixel = tile_element(c, t, reading, at, first);

        if (pixel == HYPOTHESIS_ANY)
            return HYPOTHESIS_ANY;
        sum += c->filter[i] * pixel;
    }
    return sum;
}

/* The position in its tile of a pixel: its row, or its column. */
static int place_in_tile(const struct convolution_case *c, const struct tile *t,
                         size_t pixel, bool is_row)
{
    const int width = c->shape.width, i = (int)pixel;

    return is_row ? i / width % t->height : i % width % t->width;
}

/* Rows, or columns, at the end of the tile that no thread stores: each window
 * that reaches them is NaN, and no other one. */
static void try_end_not_stored(struct hypotheses *h,
                               const struct convolution_case *c,
                               const struct tile *t, bool is_row)
{
    const int side = is_row ? c->shape.rows : c->shape.columns;
    const int region = is_row ? t->region_height : t->region_width;
    double *values = hypothesis_values(h);
    int first = region;

    for (size_t i = 0; i < hypothesis_count(h); i++)
        if (h->evidence->comparison->wrong_mask[i]
            && place_in_tile(c, t, i, is_row) < first)
            first = place_in_tile(c, t, i, is_row);
    if (first == 0 || first + side - 1 >= region)
        return;
    for (size_t i = 0; i < hypothesis_count(h); i++)
        if (place_in_tile(c, t, i, is_row) >= first)
            values[i] = NAN;
    h->is_whole = true;
    hypothesis_try(h, "The loop that loads the tile must reach its end: rows "
                   "of the block + rows of the filter - 1, and likewise "
                   "columns. For a large filter these are several rounds.",
                   "NaN: its window reaches %ss %d to %d of the tile's %d, "
                   "which no thread stored", is_row ? "row" : "column",
                   first + side - 1, region - 1, region);
    h->is_whole = false;
}

void convolution_tile_mistakes(struct hypotheses *h,
                               const struct convolution_case *c)
{
    static const char stride[] = "The row stride of the tile is its width with "
                                 "the halo, where it is stored and where it is "
                                 "read.";
    static const char halo[] = "The windows at the tile's edge reach beyond "
                               "it: load the halo, too.";
    static const struct { const char *text, *hint; } list[] = {
        [STRIDE_OF_BLOCK] = {"the sum from a tile that is read with the row "
                             "stride of a tile without its halo", stride},
        [STRIDE_OF_HEIGHT] = {"the sum from a tile that is read with its "
                              "height as the row stride", stride},
        [INSIDE_ONLY] = {"the sum with the nearest pixel of the block's own "
                         "in place of the halo", halo},
        [ZERO_HALO] = {"the sum with 0 in place of the halo", halo}};
    const struct convolution_shape *s = &c->shape;
    const struct facts *f = h->evidence->facts;
    struct tile t;

    if (hypothesis_block_size(h) == 0 || f->block[0] > 1024
        || f->block[1] > 1024)
        return;
    t.width = (int)f->block[0];
    t.height = (int)f->block[1];
    t.region_width = t.width + s->columns - 1;
    t.region_height = t.height + s->rows - 1;
    if (isnan(h->evidence->comparison->got))
        for (int is_row = 0; is_row < 2; is_row++)
            try_end_not_stored(h, c, &t, is_row);
    for (enum reading k = STRIDE_OF_BLOCK; k <= ZERO_HALO; k++) {
        double *values = hypothesis_values(h);

        for (int i = 0; i < s->width * s->height; i++)
            values[i] = sum_of_tile(c, &t, k, i % s->width, i / s->width);
        hypothesis_try(h, list[k].hint, "%s", list[k].text);
    }
}

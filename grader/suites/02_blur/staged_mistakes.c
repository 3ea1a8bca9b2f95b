/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 02 in kernels that keep something between two steps: a
 * tile in shared memory, or the means of rows. */
#include "common/softgpu/core/core.h"
#include "mistakes.h"

/* A tile of one channel: a block's pixels and the halo around them. */
struct tile {
    int width, height; /* of the block */
    enum {
        ALL,    /* all of its bytes are stored */
        FIRST,  /* the first bytes, as many as the block has threads */
        CORNER, /* a byte at each thread's x and y, from the first one on */
        CENTER, /* the block's pixels, not the halo */
        HEIGHT, /* byte i is from row i / (the tile's height) of the image */
        THREE   /* three a thread in each dimension, `radius` apart */
    } loaded;
    int outside_is_unwritten; /* nothing is stored for pixels outside the image;
                                 else 0 is */
};

static int min_int(int a, int b) { return a < b ? a : b; }
static int max_int(int a, int b) { return a > b ? a : b; }

/* The value of a byte of shared memory that no thread wrote. */
static unsigned unwritten_byte(int index)
{
    return (unsigned)SOFTGPU_SHARED_POISON >> (index % 2 ? 8 : 0) & 0xff;
}

/* Does a thread store the byte at this place in one dimension, when each stores
 * three that are `radius` apart? */
static int is_one_of_three(int at, int radius, int threads)
{
    return at < threads || (at >= radius && at < radius + threads)
           || (at >= 2 * radius && at < 2 * radius + threads);
}

/* Does a thread store the byte in this row and column of the tile? */
static int is_loaded(const struct tile *t, int radius, int row, int column)
{
    const int from = t->loaded == CENTER ? radius : 0;

    if (t->loaded == ALL || t->loaded == HEIGHT)
        return 1;
    if (t->loaded == THREE)
        return is_one_of_three(row, radius, t->height)
               && is_one_of_three(column, radius, t->width);
    if (t->loaded == FIRST)
        return row * (t->width + 2 * radius) + column < t->width * t->height;
    return row >= from && row < from + t->height && column >= from
           && column < from + t->width;
}

/* The byte of pixel (u, v) in the tile of a block that starts at (x, y). */
static unsigned tile_byte(const struct blur_image *image, const struct tile *t,
                          int x, int y, int u, int v)
{
    const struct blur_case *c = image->shape;
    const int row = v - y + c->radius, column = u - x + c->radius;

    if (t->loaded == HEIGHT)
        v = y - c->radius
            + (row * (t->width + 2 * c->radius) + column)
                  / (t->height + 2 * c->radius);
    const int is_inside = u >= 0 && u < c->width && v >= 0 && v < c->height;

    if (!is_loaded(t, c->radius, row, column)
        || (!is_inside && t->outside_is_unwritten))
        return unwritten_byte(row * (t->width + 2 * c->radius) + column);
    return is_inside ? image->in[v * c->width + u] : 0;
}

/* Pixels of a window in one dimension that are in the image.
 * at: its center; size: of the image in this dimension */
static unsigned clipped(int at, int size, int radius)
{
    return (unsigned)(min_int(at + radius, size - 1) - max_int(at - radius, 0)
                      + 1);
}

/* The mean as the contract rounds it: halves up. */
static unsigned rounded_mean(unsigned sum, unsigned count)
{
    return (2 * sum + count) / (2 * count);
}

/* The mean of pixel (x, y), from the whole tile: a right kernel adds all bytes
 * of the window, since those outside the image are 0, and divides by the number
 * of pixels inside. */
static double mean_of_tile(const struct blur_image *image, const struct tile *t,
                           int x, int y)
{
    const struct blur_case *c = image->shape;
    unsigned sum = 0;

    for (int v = y - c->radius; v <= y + c->radius; v++)
        for (int u = x - c->radius; u <= x + c->radius; u++)
            sum += tile_byte(image, t, x / t->width * t->width,
                             y / t->height * t->height, u, v);
    return rounded_mean(sum, clipped(x, c->width, c->radius)
                                 * clipped(y, c->height, c->radius)) & 0xff;
}

/* The means of all pixels.
 * values: an element for each; the image has one channel */
static void set_tile_means(double *values, const struct blur_image *image,
                           const struct tile *t)
{
    const struct blur_case *c = image->shape;

    for (int i = 0; i < c->width * c->height; i++)
        values[i] = mean_of_tile(image, t, i % c->width, i / c->width);
}

/* Tiles of which some bytes are not stored.  The last launch's block is taken
 * to be the tile without its halo, as in a kernel with one pixel a thread. */
static void try_tiles(struct hypotheses *h, const struct blur_image *image)
{
    static const char loop[] =
        "Tile and halo have more bytes than the block has threads: load them "
        "in a loop, by steps of all threads.";
    const int width = (int)h->evidence->facts->block[0];
    const int height = (int)h->evidence->facts->block[1];

    set_tile_means(hypothesis_values(h), image,
                   &(struct tile){width, height, ALL, 1});
    hypothesis_try(h,
                   "Store 0 in the tile for each position outside the image.",
                   "the mean with shared memory that no thread wrote in place "
                   "of the pixels outside the image");
    set_tile_means(hypothesis_values(h), image,
                   &(struct tile){width, height, FIRST, 0});
    hypothesis_try(h, loop, "the mean of a tile of which each of the %d "
                   "threads loaded one byte, and no thread the others",
                   width * height);
    set_tile_means(hypothesis_values(h), image,
                   &(struct tile){width, height, CORNER, 0});
    hypothesis_try(h, loop, "the mean of a tile of which only the first %d "
                   "rows of %d bytes were loaded, a byte by each thread",
                   height, width);
    set_tile_means(hypothesis_values(h), image,
                   &(struct tile){width, height, CENTER, 0});
    hypothesis_try(h, "The windows at the tile's edge reach `radius` pixels "
                   "beyond it: load the halo, too.",
                   "the mean of a tile without its halo");
    set_tile_means(hypothesis_values(h), image,
                   &(struct tile){width, height, HEIGHT, 0});
    hypothesis_try(h, "Byte i of the tile is in row i / width and column i % "
                   "width of the tile, with the tile's own width.",
                   "the mean of a tile whose byte i was loaded from row i / "
                   "height, should be i / width");
    set_tile_means(hypothesis_values(h), image,
                   &(struct tile){width, height, THREE, 0});
    hypothesis_try(h, loop, "the mean of a tile whose threads loaded three "
                   "bytes in each dimension, `radius` apart: with a radius "
                   "above %d others are between them",
                   width < height ? width : height);
}

/* The mean of a column of means of rows, both rounded: what two passes give
 * that keep bytes between them. */
static double mean_of_means(const struct blur_image *image, int x, int y,
                            int channel)
{
    const struct blur_case *c = image->shape;
    const unsigned columns = clipped(x, c->width, c->radius);
    unsigned sum = 0;

    for (int v = max_int(y - c->radius, 0);
         v <= min_int(y + c->radius, c->height - 1); v++) {
        unsigned row = 0;

        for (int u = max_int(x - c->radius, 0);
             u <= min_int(x + c->radius, c->width - 1); u++)
            row += image->in[(v * c->width + u) * c->channels + channel];
        sum += rounded_mean(row, columns);
    }
    return rounded_mean(sum, clipped(y, c->height, c->radius));
}

void blur_staged_mistakes(struct hypotheses *h, const struct blur_image *image)
{
    const struct blur_case *c = image->shape;
    double *values = hypothesis_values(h);

    for (int i = 0; i < (int)hypothesis_count(h); i++)
        values[i] = mean_of_means(image, i / c->channels % c->width,
                                  i / c->channels / c->width, i % c->channels);
    hypothesis_try(h, "Add the sums of the rows, and divide once: each "
                   "rounding adds an error.",
                   "the mean of the rounded means of rows");
    if (c->channels == 1 && hypothesis_block_size(h) > 0)
        try_tiles(h, image);
}

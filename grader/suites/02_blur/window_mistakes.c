/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 02 in which the pixels that are added are not those
 * that are counted: a running sum, a tile of bytes, a number of pixels that is
 * computed from the wrong side. */
#include <stdlib.h>

#include "mistakes.h"

/* Pixels of a window in the image, in each dimension. */
struct extent {
    int columns, rows;
};

/* A sum and a divisor that do not fit together. */
struct window_mistake {
    const char *text, *hint;
    int left, right, top, bottom; /* pixels of the sum beyond the window; those
                                     outside the image are never added */
    enum {
        BOTH,         /* the window in the image, which is right */
        ROWS_TWICE,
        COLUMNS_TWICE,
        FULL_ROWS,    /* the number of rows is not clipped */
        FULL_COLUMNS
    } divisor;
};

static const char rows_hint[] =
    "The window of row y has rows y - radius to y + radius. In a running sum, "
    "row y + radius is added and row y - radius - 1 is subtracted when the "
    "window moves down to row y.";
static const char columns_hint[] =
    "The window of column x has columns x - radius to x + radius. In a running "
    "sum, column x + radius is added and column x - radius - 1 is subtracted "
    "when the window moves on to column x.";
static const char divisor_hint[] =
    "The window has (x1 - x0 + 1) * (y1 - y0 + 1) pixels: the columns are "
    "clipped at 0 and width - 1, the rows at 0 and height - 1.";

static const struct window_mistake list[] = {
    {"the sum without row y - radius, divided by all pixels of the window",
     rows_hint, .top = -1},
    {"the sum without row y + radius, divided by all pixels of the window",
     rows_hint, .bottom = -1},
    {"the sum without column x - radius, divided by all pixels of the window",
     columns_hint, .left = -1},
    {"the sum without column x + radius, divided by all pixels of the window",
     columns_hint, .right = -1},
    {"the sum with row y - radius - 1 as well, divided by the pixels of the "
     "window", rows_hint, .top = 1},
    {"the sum with row y + radius + 1 as well, divided by the pixels of the "
     "window", rows_hint, .bottom = 1},
    {"the sum with column x - radius - 1 as well, divided by the pixels of the "
     "window", columns_hint, .left = 1},
    {"the sum with column x + radius + 1 as well, divided by the pixels of the "
     "window", columns_hint, .right = 1},
    {"the sum of row y - radius - 1 to row y + radius - 1, divided by the "
     "pixels of the window", rows_hint, .top = 1, .bottom = -1},
    {"the sum of row y - radius + 1 to row y + radius + 1, divided by the "
     "pixels of the window", rows_hint, .top = -1, .bottom = 1},
    {"the sum of column x - radius - 1 to column x + radius - 1, divided by "
     "the pixels of the window", columns_hint, .left = 1, .right = -1},
    {"the sum of column x - radius + 1 to column x + radius + 1, divided by "
     "the pixels of the window", columns_hint, .left = -1, .right = 1},
    {"the clipped sum divided by the square of the window's number of rows",
     divisor_hint, .divisor = ROWS_TWICE},
    {"the clipped sum divided by the square of the window's number of columns",
     divisor_hint, .divisor = COLUMNS_TWICE},
    {"the clipped sum divided by a number of pixels whose rows are not clipped",
     divisor_hint, .divisor = FULL_ROWS},
    {"the clipped sum divided by a number of pixels whose columns are not "
     "clipped", divisor_hint, .divisor = FULL_COLUMNS},
};

static int min_int(int a, int b) { return a < b ? a : b; }
static int max_int(int a, int b) { return a > b ? a : b; }

static unsigned divisor_of(const struct window_mistake *m,
                           struct extent clipped, int radius)
{
    const int full = 2 * radius + 1;
    const int columns = m->divisor == ROWS_TWICE     ? clipped.rows
                        : m->divisor == FULL_COLUMNS ? full
                                                     : clipped.columns;
    const int rows = m->divisor == COLUMNS_TWICE ? clipped.columns
                     : m->divisor == FULL_ROWS   ? full
                                                 : clipped.rows;

    return (unsigned)(columns * rows);
}

/* The bytes of a column of the sum, `at` bytes from the start of its rows. */
static unsigned column_sum(const struct blur_image *image, int first, int last,
                           int at)
{
    const int pitch = image->shape->width * image->shape->channels;
    unsigned sum = 0;

    for (int v = first; v <= last && at >= 0 && at < pitch; v++)
        sum += image->in[(size_t)v * (size_t)pitch + (size_t)at];
    return sum;
}

/* One byte of the output with this mistake.
 * offset: bytes by which the window lies too far right */
static double wrong_mean(const struct blur_image *image,
                         const struct window_mistake *m, int offset, int i)
{
    const struct blur_case *c = image->shape;
    const int r = c->radius, pitch = c->width * c->channels;
    const int x = i % pitch / c->channels, y = i / pitch;
    const struct extent clipped = {
        min_int(x + r, c->width - 1) - max_int(x - r, 0) + 1,
        min_int(y + r, c->height - 1) - max_int(y - r, 0) + 1};
    const unsigned count = divisor_of(m, clipped, r);
    unsigned sum = 0;

    for (int u = -r - m->left; u <= r + m->right; u++)
        sum += column_sum(image, max_int(y - r - m->top, 0),
                          min_int(y + r + m->bottom, c->height - 1),
                          i % pitch + u * c->channels + offset);
    return (uint8_t)((2 * sum + count) / (2 * count));
}

static void set_means(struct hypotheses *h, const struct blur_image *image,
                      const struct window_mistake *m, int offset)
{
    double *values = hypothesis_values(h);

    for (int i = 0; i < (int)hypothesis_count(h); i++)
        values[i] = wrong_mean(image, m, offset, i);
}

/* A tile of bytes whose halo has `radius` bytes where radius * channels are
 * necessary: when the tile is loaded, or when the window is read. */
static void try_halo_of_pixels(struct hypotheses *h,
                               const struct blur_image *image)
{
    static const char hint[] =
        "The next pixel of the same channel is `channels` bytes further, so "
        "the halo has radius * channels bytes on each side: the window of byte "
        "x starts at byte x - radius * channels.";
    const struct window_mistake right_window = {.divisor = BOTH};
    const int offset = image->shape->radius * (image->shape->channels - 1);

    for (int sign = -1; offset > 0 && sign <= 1; sign += 2) {
        set_means(h, image, &right_window, sign * offset);
        hypothesis_try(h, hint, "the mean of a window that lies radius * "
                       "(channels - 1) = %d bytes too far %s", offset,
                       sign > 0 ? "right" : "left");
    }
}

/* The first byte of a window that is clipped at the left edge is byte 0 of the
 * row for each channel. */
static void try_left_of_row(struct hypotheses *h,
                            const struct blur_image *image)
{
    const struct window_mistake right_window = {.divisor = BOTH};
    const int channels = image->shape->channels;
    double *values = hypothesis_values(h);

    for (int i = 0; i < (int)hypothesis_count(h); i++) {
        const int byte = i % (image->shape->width * channels);

        if (byte / channels < image->shape->radius)
            values[i] = wrong_mean(image, &right_window, -(byte % channels), i);
    }
    hypothesis_try(h, "Clip the column of the window's first pixel, before it "
                   "is multiplied by `channels`, and add the channel: the "
                   "first byte of channel q in a row is byte q.",
                   "the mean whose window, near the left edge, begins at byte "
                   "0 of the row, with channel 0, for each channel");
}

/* A row or column at an edge of the image, whose pixels are counted and not
 * added: 0 is in their place. */
static void try_lost_edges(struct hypotheses *h,
                           const struct blur_image *image)
{
    static const char *const names[] = {"first row", "last row", "first column",
                                        "last column"};
    static const struct window_mistake right_window = {.divisor = BOTH};
    const struct blur_case *c = image->shape;
    const size_t pitch = (size_t)c->width * (size_t)c->channels;
    const size_t bytes = pitch * (size_t)c->height;
    uint8_t *in = malloc(bytes + 1);

    for (int k = 0; in && k < 4; k++) {
        const struct blur_image other = {in, c};
        const size_t last = (size_t)(k < 2 ? c->height : c->width) - 1;

        for (size_t i = 0; i < bytes; i++) {
            const size_t line = k < 2 ? i / pitch
                                      : i % pitch / (size_t)c->channels;

            in[i] = line == (k % 2 ? last : 0) ? 0 : image->in[i];
        }
        set_means(h, &other, &right_window, 0);
        hypothesis_try(h, "Is a pixel inside the image where 0 <= x, x < "
                       "width, 0 <= y and y < height? Row 0 and column 0 "
                       "belong to it.",
                       "the mean with 0 in place of the %s of the image",
                       names[k]);
    }
    free(in);
}

void blur_window_mistakes(struct hypotheses *h, const struct blur_image *image)
{
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        set_means(h, image, &list[k], 0);
        hypothesis_try(h, list[k].hint, "%s", list[k].text);
    }
    try_halo_of_pixels(h, image);
    try_left_of_row(h, image);
    if (!h->fits)
        try_lost_edges(h, image);
}

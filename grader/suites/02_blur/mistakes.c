/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 02: windows, edges, divisors and roundings. */
#include "mistakes.h"

#include <math.h>
#include <stdbool.h>

/* A mean that is computed in another way. */
struct blur_mistake {
    const char *text, *hint;
    int grow_x, grow_y; /* the window's, in pixels on each side */
    int left, right, top, bottom; /* the same, on one side */
    int skip_x, skip_y; /* last columns and rows in the image that are left
                           out, but counted */
    enum { CLIP, CLAMP } edge;
    enum { ADDED, WINDOW, CLIPPED, NO_ONES, ONE_ONCE } divisor;
    enum { HALF_UP, DOWN, EVEN, HALF_DOWN, EARLY_UP, RECIPROCAL } rounding;
    unsigned mask;    /* of the sum; 0: all bits */
    bool first_channel, adjacent_bytes, sides_swapped, is_planar, row_is_height;
    bool row_is_width; /* in bytes */
    bool pixel_is_byte, column_is_byte; /* without `* channels` */
    bool is_planar_out, adds_channels, without_center;
    bool byte_steps;  /* from the pixel on, bytes are added, not pixels */
    bool past_right;  /* windows end at the width, not one before */
    bool rows_by_width, columns_by_height; /* where windows end */
};

static const char window_hint[] =
    "The window has 2 * radius + 1 pixels, from x - radius to x + radius.";
static const char edge_hint[] =
    "The window is clipped: pixels outside the image are neither added nor "
    "counted.";

static const char count_hint[] =
    "From x0 to x1 there are x1 - x0 + 1 columns: the window has (x1 - x0 + 1) "
    "* (y1 - y0 + 1) pixels.";

static const struct blur_mistake list[] = {
    {"the mean rounded down", "(2 * sum + count) / (2 * count) rounds halves "
     "up.", .rounding = DOWN},
    {"the mean rounded to even", "(2 * sum + count) / (2 * count) rounds "
     "halves up.", .rounding = EVEN},
    {"the mean with halves rounded down", "(2 * sum + count) / (2 * count) "
     "rounds halves up.", .rounding = HALF_DOWN},
    {"the mean rounded as (sum + (count + 1) / 2) / count", "An odd count has "
     "no whole half: (2 * sum + count) / (2 * count) rounds halves up.",
     .rounding = EARLY_UP},
    {"the clipped sum divided by the size of a whole window", edge_hint,
     .divisor = WINDOW},
    {"the clipped sum divided by the size of a whole window, rounded down",
     edge_hint, .divisor = WINDOW, .rounding = DOWN},
    {"the clipped sum divided by (x1 - x0) * (y1 - y0)", count_hint,
     .divisor = NO_ONES},
    {"the clipped sum divided by (x1 - x0) * (y1 - y0) + 1", count_hint,
     .divisor = ONE_ONCE},
    {"the mean with the nearest pixel in place of each one outside", edge_hint,
     .edge = CLAMP, .divisor = WINDOW},
    {"the sum with the nearest pixel in place of each one outside, divided by "
     "the size of the clipped window", edge_hint, .edge = CLAMP,
     .divisor = CLIPPED},
    {"the mean of a window without its last column", window_hint, .right = -1},
    {"the mean of a window without its first column", window_hint,
     .left = -1},
    {"the mean of a window without its last row", window_hint, .bottom = -1},
    {"the mean of a window without its first row", window_hint, .top = -1},
    {"the mean of a window without its last row and column", window_hint,
     .right = -1, .bottom = -1},
    {"the sum without the last column of the window, divided by all its "
     "pixels", window_hint, .skip_x = 1},
    {"the sum without the last row of the window, divided by all its pixels",
     window_hint, .skip_y = 1},
    {"the sum without the last row and column of the window, divided by all "
     "its pixels", window_hint, .skip_x = 1, .skip_y = 1},
    {"the mean of a window that is one pixel larger on each side", window_hint,
     .grow_x = 1, .grow_y = 1},
    {"the mean of a window that is one pixel smaller on each side",
     window_hint, .grow_x = -1, .grow_y = -1},
    {"the mean of a row of the window only", "The window has rows and "
     "columns.", .grow_y = -64},
    {"the mean of a column of the window only", "The window has rows and "
     "columns.", .grow_x = -64},
    {"the mean of a sum of 8 bits", "Add in unsigned int.", .mask = 0xff},
    {"the mean of a sum of 16 bits", "Add in unsigned int.", .mask = 0xffff},
    {"the mean of channel 0", "A pixel has `channels` bytes: byte x belongs "
     "to channel x % channels.", .first_channel = true},
    {"the mean of adjacent bytes, whatever their channel", "The next pixel of "
     "the same channel is `channels` bytes further.", .adjacent_bytes = true},
    {"the mean of the bytes beside the pixel's, as many as the window has "
     "pixels", "The next pixel of the same channel is `channels` bytes "
     "further.", .byte_steps = true},
    {"the mean in an image whose channels are stored one after another",
     "A pixel has `channels` adjacent bytes: channel c of pixel x is at "
     "x * channels + c.", .is_planar = true},
    {"the mean in an image, stored to an image, whose channels are one after "
     "another", "A pixel has `channels` adjacent bytes: channel c of pixel x "
     "is at x * channels + c.", .is_planar = true, .is_planar_out = true},
    {"the mean with the sums of the channels before it", "Each channel has a "
     "sum of its own, which begins with 0.", .adds_channels = true},
    {"the mean without the pixel itself", "The window of a pixel has the pixel "
     "itself, too.", .without_center = true},
    {"the mean with the row stride taken as the height", "Row y starts at "
     "y * width * channels.", .row_is_height = true},
    {"the mean in an image whose rows have `width` bytes", "A row has width * "
     "channels bytes: row y starts at y * width * channels.",
     .row_is_width = true},
    {"the mean of bytes at (y * width + x) + channel, without `* channels`",
     "Channel c of pixel (x, y) is at (y * width + x) * channels + c.",
     .pixel_is_byte = true},
    {"the mean of bytes whose column is x + channel, without `* channels`",
     "Channel c of pixel (x, y) is at (y * width + x) * channels + c.",
     .column_is_byte = true},
    {"the mean of windows that end at the width, not at width - 1: the first "
     "pixel of the next row is added", edge_hint, .past_right = true},
    {"the mean of a window clipped to the other side of the image", "x is "
     "compared with the width, y with the height.", .sides_swapped = true},
    {"the mean of a window whose rows are clipped at the width", "y1 = min(y + "
     "radius, height - 1)", .rows_by_width = true},
    {"the mean of a window whose columns are clipped at the height", "x1 = "
     "min(x + radius, width - 1)", .columns_by_height = true},
};

static int min_int(int a, int b) { return a < b ? a : b; }
static int max_int(int a, int b) { return a > b ? a : b; }

/* The value of a pixel; 0 outside of the image, or the nearest one. */
static unsigned pixel_at(const uint8_t *in, const struct blur_case *c, int u,
                         int v, int channel)
{
    u = min_int(max_int(u, 0), c->width - 1);
    v = min_int(max_int(v, 0), c->height - 1);
    return in[((size_t)v * c->width + u) * c->channels + channel];
}

/* The byte that a kernel with another layout reads; -1: beyond the image. */
static int misplaced_byte(const uint8_t *in, const struct blur_case *c,
                          const struct blur_mistake *m, int u, int v,
                          int channel)
{
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    const size_t row = (size_t)(m->row_is_height ? c->height : c->width);
    const size_t pixel = (size_t)v * row + (size_t)u;
    const size_t byte =
        m->row_is_width ? (size_t)v * row + (size_t)(u * c->channels + channel)
        : m->is_planar      ? (size_t)channel * pixels + pixel
        : m->pixel_is_byte  ? pixel + (size_t)channel
        : m->column_is_byte ? (size_t)v * row * (size_t)c->channels
                                  + (size_t)(u + channel)
                            : pixel * (size_t)c->channels + (size_t)channel;

    return byte < pixels * (size_t)c->channels ? in[byte] : -1;
}

/* The value added for a pixel; -1: not known. */
static int wrong_byte(const uint8_t *in, const struct blur_case *c,
                      const struct blur_mistake *m, int u, int v, int channel)
{
    int sum = 0;

    if (m->is_planar || m->row_is_height || m->row_is_width
        || m->pixel_is_byte || m->column_is_byte || m->past_right
        || m->columns_by_height)
        return misplaced_byte(in, c, m, u, v, channel);
    for (int k = m->adds_channels ? 0 : channel; k <= channel; k++)
        sum += (int)pixel_at(in, c, u, v, k);
    return sum;
}

/* The byte `steps` bytes after that of pixel (x, v); -1: beyond the image. */
static int byte_beside(const uint8_t *in, const struct blur_case *c, int x,
                       int v, int channel, int steps)
{
    const long long pixel = (long long)v * c->width + x;
    const long long byte = pixel * c->channels + channel + steps;

    return byte >= 0 && byte < (long long)c->width * c->height * c->channels
               ? in[byte] : -1;
}

static double rounded_mean(unsigned sum, unsigned count,
                           const struct blur_mistake *m)
{
    if (m->mask)
        sum &= m->mask;
    if (count == 0)
        return HYPOTHESIS_ANY;
    if (m->rounding == DOWN)
        return (uint8_t)(sum / count);
    if (m->rounding == EVEN)
        return nearbyint((double)sum / count);
    if (m->rounding == HALF_DOWN)
        return (uint8_t)((2 * sum + count - 1) / (2 * count));
    if (m->rounding == RECIPROCAL) {
        volatile float mean = (float)sum * (1.0f / (float)count);

        mean = mean + 0.5f;
        return (uint8_t)mean;
    }
    if (m->rounding == EARLY_UP)
        return (uint8_t)((sum + (count + 1) / 2) / count);
    return (uint8_t)((2 * sum + count) / (2 * count));
}

/* First and last position of a window in one dimension; outside of the image
 * when it is not clipped. */
struct span {
    int first, last;
};

static struct span window_span(int at, int size, int radius, int before,
                               int after, const struct blur_mistake *m)
{
    struct span span = {at - max_int(radius + before, 0),
                        at + max_int(radius + after, 0)};

    if (m->edge == CLIP) {
        span.first = max_int(span.first, 0);
        span.last = min_int(span.last, size - 1);
    }
    return span;
}

/* Pixels of the window inside the image. */
static unsigned clipped_count(const struct blur_case *c, int x, int y)
{
    const int columns = min_int(x + c->radius, c->width - 1)
                        - max_int(x - c->radius, 0) + 1;
    const int rows = min_int(y + c->radius, c->height - 1)
                     - max_int(y - c->radius, 0) + 1;

    return (unsigned)(columns * rows);
}

/* One byte of the output with this mistake. */
static double wrong_pixel(const uint8_t *in, const struct blur_case *image,
                          const struct blur_mistake *m, size_t i)
{
    struct blur_case c = *image;
    const int bytes = c.channels, r = c.radius;
    const size_t pixels = (size_t)c.width * (size_t)c.height;
    const int byte = (int)(m->is_planar_out ? i / pixels : i % (size_t)bytes);
    const size_t pixel = m->is_planar_out ? i % pixels : i / (size_t)bytes;
    const int y = (int)pixel / c.width;
    int x = (int)pixel % c.width, channel = m->first_channel ? 0 : byte;
    unsigned sum = 0, count = 0;

    if (m->adjacent_bytes) {
        x = x * bytes + byte;
        c.width *= bytes;
        c.channels = 1;
        channel = 0;
    }
    struct span xs = window_span(x, m->sides_swapped || m->columns_by_height
                                        ? c.height : c.width + m->past_right, r,
                                 m->grow_x + m->left, m->grow_x + m->right, m);
    struct span ys = window_span(y, m->sides_swapped || m->rows_by_width
                                        ? c.width : c.height, r,
                                 m->grow_y + m->top, m->grow_y + m->bottom, m);

    if ((m->rows_by_width && ys.last < ys.first)
        || (m->columns_by_height && xs.last < xs.first))
        return HYPOTHESIS_ANY; /* no pixel is left */
    for (int v = ys.first; v <= ys.last; v++)
        for (int u = xs.first; u <= xs.last; u++) {
            const int value =
                m->byte_steps ? byte_beside(in, &c, x, v, channel, u - x)
                              : wrong_byte(in, &c, m, u, v, channel);

            if (value < 0)
                return HYPOTHESIS_ANY;
            if (m->without_center && u == x && v == y)
                continue;
            count++;
            if (u <= xs.last - m->skip_x && v <= ys.last - m->skip_y)
                sum += (unsigned)value;
        }
    if (m->edge == CLAMP && m->divisor == CLIPPED)
        count = clipped_count(&c, x, y);
    if (m->divisor >= NO_ONES)
        count = (unsigned)((xs.last - xs.first) * (ys.last - ys.first)
                           + (m->divisor == ONE_ONCE));
    if (m->divisor == WINDOW)
        count = (unsigned)((2 * r + 1) * (2 * r + 1));
    return rounded_mean(sum, count, m);
}

/* A few halves are rounded down: which ones is evidence enough. */
static void try_reciprocal(struct hypotheses *h, const struct blur_image *image)
{
    const struct blur_mistake mistake = {.rounding = RECIPROCAL};
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = wrong_pixel(image->in, image->shape, &mistake, i);
    h->needed = 8;
    hypothesis_try(h, "1.0f / count is rounded: divide the integers, "
                   "(2 * sum + count) / (2 * count).",
                   "the sum times 1.0f / count, in float, plus 0.5f");
    h->needed = needed;
}

/* A mistake in an image. */
struct trial {
    const uint8_t *in;
    const struct blur_case *shape;
    const struct blur_mistake *mistake;
};

static double trial_pixel(const void *context, size_t i)
{
    const struct trial *t = context;

    return wrong_pixel(t->in, t->shape, t->mistake, i);
}

/* The values of a mistake that the first wrong bytes agree with: those of all
 * others would take seconds where windows are large. */
static bool agrees(struct hypotheses *h, const struct trial *trial)
{
    double *values = hypothesis_values(h);

    if (!hypothesis_first_agree(h, 4096, trial_pixel, trial))
        return false;
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = trial_pixel(trial, i);
    return true;
}

/* Windows of a smaller radius than that of the call: that of a tile, or of a
 * block. */
static void try_smaller_radii(struct hypotheses *h,
                              const struct blur_image *image)
{
    static const int limits[] = {1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 20, 24, 31};
    const struct blur_mistake mistake = {0};
    struct blur_case shape = *image->shape;

    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        if (limits[k] >= image->shape->radius)
            return;
        shape.radius = limits[k];
        if (!agrees(h, &(struct trial){image->in, &shape, &mistake}))
            continue;
        hypothesis_try(h, "Any radius up to BLUR_RADIUS_MAX is allowed.",
                       "the mean of a window of radius %d", limits[k]);
    }
}

void blur_mistakes(struct hypotheses *h, const void *context)
{
    enum { MOST_PIXELS = 1 << 26 }; /* more take seconds */
    const struct blur_image *image = context;
    const size_t side = (size_t)(2 * image->shape->radius + 1);

    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        if (!agrees(h, &(struct trial){image->in, image->shape, &list[k]}))
            continue;
        if (list[k].grow_x == -1 && image->shape->radius == 1)
            hypothesis_try(h, "", "the input's byte, unchanged");
        else
            hypothesis_try(h, list[k].hint, "%s", list[k].text);
    }
    try_smaller_radii(h, image);
    if (hypothesis_count(h) * side * side > MOST_PIXELS)
        return;
    try_reciprocal(h, image);
    blur_window_mistakes(h, image);
    blur_staged_mistakes(h, image);
}

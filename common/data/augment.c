/* SPDX-License-Identifier: MIT */
/** @file
 *  See augment.h. */
#include "augment.h"

#include "random_bits.h"

struct augment_draw augment_draw(const struct augment *options,
                                 const struct dataset *set, uint64_t *state)
{
    const uint64_t positions = 2 * (uint64_t)options->pad + 1;
    struct augment_draw draw;

    draw.left = (int)random_below(state, positions);
    draw.top = (int)random_below(state, positions);
    draw.flipped = random_below(state, 2) && options->flip;
    draw.cutout_x = (int)random_below(state, (uint64_t)set->width);
    draw.cutout_y = (int)random_below(state, (uint64_t)set->height);
    if (options->cutout == 0) draw.cutout_x = -1;
    return draw;
}

struct augment_draw augment_identity(const struct augment *options)
{
    return (struct augment_draw){options->pad, options->pad, false, -1, -1};
}

/* Crop and normalize one row: output x is input from + x * step, black
 * outside. */
static void crop_and_normalize_row(const unsigned char *row, int width,
                                   int from, int step, const float *value,
                                   float *to)
{
    for (int x = 0; x < width; x++) {
        const int at = from + x * step;

        to[x] = value[at >= 0 && at < width ? row[at] : 0];
    }
}

/* Pixels beyond an edge repeat the pixel at the edge. */
static int clamp(int value, int max)
{
    return value < 0 ? 0 : value > max ? max : value;
}

/* Set a square to 0, which is the mean of normalized images. */
static void erase_square(const struct dataset *set, int side, int cx, int cy,
                         float *plane)
{
    const int x0 = clamp(cx - side / 2, set->width);
    const int x1 = clamp(cx - side / 2 + side, set->width);
    const int y0 = clamp(cy - side / 2, set->height);
    const int y1 = clamp(cy - side / 2 + side, set->height);

    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) plane[y * set->width + x] = 0;
}

void augment_image(const struct augment *options,
                   const struct augment_draw *draw, const struct dataset *set,
                   size_t image, float *to)
{
    static const unsigned char black_row[1];
    const int width = set->width, height = set->height;
    const int shift = draw->left - options->pad;
    const int from = draw->flipped ? width - 1 + shift : shift;
    const unsigned char *in = set->pixels + image * dataset_pixels(set);

    for (int c = 0; c < set->channels; c++) {
        float value[256];

        for (int i = 0; i < 256; i++)
            value[i] = ((float)i / 255 - options->mean[c]) / options->std[c];
        for (int y = 0; y < height; y++) {
            const int at = y + draw->top - options->pad;
            const bool inside = at >= 0 && at < height;

            /* rows above and below the image are black */
            crop_and_normalize_row(
                inside ? in + (c * height + at) * width : black_row, width,
                inside ? from : -2 * width - 2 * options->pad,
                inside && draw->flipped ? -1 : 1, value,
                to + (c * height + y) * width);
        }
        if (draw->cutout_x >= 0)
            erase_square(set, options->cutout, draw->cutout_x, draw->cutout_y,
                         to + c * height * width);
    }
}

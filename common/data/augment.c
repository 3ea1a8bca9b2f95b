/* SPDX-License-Identifier: MIT */
/** @file
 *  See augment.h. */
#include "augment.h"

#include "random_bits.h"

struct augment_draw augment_draw(const struct augment *how,
                                 const struct dataset *set, uint64_t *state)
{
    const uint64_t places = 2 * (uint64_t)how->pad + 1;
    struct augment_draw draw;

    draw.left = (int)random_below(state, places);
    draw.top = (int)random_below(state, places);
    draw.flipped = random_below(state, 2) && how->flip;
    draw.cut_x = (int)random_below(state, (uint64_t)set->width);
    draw.cut_y = (int)random_below(state, (uint64_t)set->height);
    if (how->cutout == 0) draw.cut_x = -1;
    return draw;
}

struct augment_draw augment_nothing(const struct augment *how)
{
    return (struct augment_draw){how->pad, how->pad, false, -1, -1};
}

/* One row: output x comes from input from + x * step, black outside. */
static void crop_row(const unsigned char *row, int width, int from, int step,
                     const float *value, float *to)
{
    for (int x = 0; x < width; x++) {
        const int at = from + x * step;

        to[x] = value[at >= 0 && at < width ? row[at] : 0];
    }
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The mean is 0 once the image is normalised. */
static void cut_square(const struct dataset *set, int side, int cx, int cy,
                       float *plane)
{
    const int x0 = clamp(cx - side / 2, set->width);
    const int x1 = clamp(cx - side / 2 + side, set->width);
    const int y0 = clamp(cy - side / 2, set->height);
    const int y1 = clamp(cy - side / 2 + side, set->height);

    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) plane[y * set->width + x] = 0;
}

void augment_image(const struct augment *how, const struct augment_draw *draw,
                   const struct dataset *set, size_t image, float *to)
{
    static const unsigned char none[1];
    const int width = set->width, height = set->height;
    const int shift = draw->left - how->pad;
    const int from = draw->flipped ? width - 1 + shift : shift;
    const unsigned char *in = set->pixels + image * dataset_pixels(set);

    for (int c = 0; c < set->channels; c++) {
        float value[256];

        for (int i = 0; i < 256; i++)
            value[i] = ((float)i / 255 - how->mean[c]) / how->scale[c];
        for (int y = 0; y < height; y++) {
            const int at = y + draw->top - how->pad;
            const bool inside = at >= 0 && at < height;

            /* above and below the image all is black */
            crop_row(inside ? in + (c * height + at) * width : none,
                     width, inside ? from : -2 * width - 2 * how->pad,
                     inside && draw->flipped ? -1 : 1, value,
                     to + (c * height + y) * width);
        }
        if (draw->cut_x >= 0)
            cut_square(set, how->cutout, draw->cut_x, draw->cut_y,
                       to + c * height * width);
    }
}

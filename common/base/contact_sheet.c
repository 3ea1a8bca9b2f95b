/* SPDX-License-Identifier: MIT */
/** @file
 *  See contact_sheet.h. */
#include "contact_sheet.h"

#include <string.h>

/* Length in pixels of a row or column of images with the gaps around them. */
static long long sheet_pixels(int images, int pixels,
                              const struct sheet_layout *l)
{
    return (long long)images * ((long long)pixels * l->scale + l->gap)
           + l->gap;
}

/* Draw one image with its top left corner at (left, top). */
static void draw_image(const struct image *image, int left, int top, int scale,
                       struct image *sheet)
{
    const size_t channels = image->channels;

    for (int y = 0; y < image->height * scale; y++) {
        unsigned char *to = sheet->data
            + ((size_t)(top + y) * sheet->width + left) * channels;
        const unsigned char *from = image->data
            + (size_t)(y / scale) * image->width * channels;
        for (int x = 0; x < image->width * scale; x++)
            memcpy(to + x * channels, from + x / scale * channels, channels);
    }
}

/* Only images of one width, height and number of channels fit a grid. */
static bool have_same_shape(const struct image *images, int count)
{
    for (int i = 1; i < count; i++)
        if (images[i].width != images->width ||
            images[i].height != images->height ||
            images[i].channels != images->channels)
            return false;
    return true;
}

/* Fill with the background; alpha is 255, opaque. */
static void fill_background(struct image *sheet, unsigned char background)
{
    memset(sheet->data, background, image_bytes(sheet));
    if (sheet->channels == 4)
        for (size_t i = 3; i < image_bytes(sheet); i += 4)
            sheet->data[i] = 255;
}

bool sheet_make(const struct image *images, int count,
                const struct sheet_layout *layout, struct image *sheet,
                struct failure *failure)
{
    long long width, height;
    int columns = layout->columns < count ? layout->columns : count;

    memset(sheet, 0, sizeof *sheet);
    if (columns <= 0 || layout->scale <= 0 || layout->gap < 0)
        return fail(failure, "a contact sheet of nothing");
    if (!have_same_shape(images, count))
        return fail(failure, "the images of a contact sheet differ in size");
    width = sheet_pixels(columns, images->width, layout);
    height =
        sheet_pixels((count + columns - 1) / columns, images->height, layout);
    if (width > (long long)IMAGE_BYTES_MAX ||
        height > (long long)IMAGE_BYTES_MAX)
        return fail(failure, "a contact sheet of %lld x %lld pixels is too "
                    "large", width, height);
    if (!image_make(sheet, (int)width, (int)height, images->channels, failure))
        return false;
    fill_background(sheet, layout->background);
    for (int i = 0; i < count; i++)
        draw_image(&images[i],
                   (int)sheet_pixels(i % columns, images->width, layout),
                   (int)sheet_pixels(i / columns, images->height, layout),
                   layout->scale, sheet);
    return true;
}

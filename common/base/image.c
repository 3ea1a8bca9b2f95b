/* SPDX-License-Identifier: MIT */
/** @file
 *  Making and freeing images; png.c reads and writes them. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

size_t image_bytes(const struct image *image)
{
    return (size_t)image->width * image->height * image->channels;
}

/* Does an image of this size have at most IMAGE_BYTES_MAX bytes?  Divides,
 * because the product may overflow 64 bits. */
static bool is_within_limit(int width, int height, int channels)
{
    return (size_t)width <= IMAGE_BYTES_MAX / channels / height;
}

bool image_make(struct image *image, int width, int height, int channels,
                struct failure *failure)
{
    memset(image, 0, sizeof *image);
    if (channels != 1 && channels != 3 && channels != 4)
        return fail(failure, "an image cannot have %d channels", channels);
    if (width <= 0 || height <= 0 || !is_within_limit(width, height, channels))
        return fail(failure, "an image cannot be %d x %d pixels", width,
                    height);
    image->data = calloc((size_t)width * height, channels);
    if (!image->data)
        return fail(failure, "no memory for %d x %d pixels", width, height);
    image->width = width;
    image->height = height;
    image->channels = channels;
    return true;
}

void image_free(struct image *image)
{
    free(image->data);
    memset(image, 0, sizeof *image);
}

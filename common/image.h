/* SPDX-License-Identifier: MIT */
/** @file
 *  Images of 8 bits a channel, read from and written to PNG.  Host only. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "failure.h"

#define IMAGE_BYTES_MAX ((size_t)1 << 30) /**< largest image taken */

/** An image: rows from the top, pixels from the left, channels together, no
 *  padding.  All zero is an image without pixels. */
struct image {
    int width;           /**< pixels a row */
    int height;          /**< rows */
    int channels;        /**< 1 gray, 3 red green blue, 4 with alpha */
    unsigned char *data; /**< width * height * channels bytes, owned */
};

/** Bytes of an image's data. */
size_t image_bytes(const struct image *image);

/** Make a black image (transparent with 4 channels).
 *  @param[out] image     all zero after a failure
 *  @param      width     pixels a row
 *  @param      height    rows
 *  @param      channels  bytes a pixel
 *  @param[out] failure   the line, or NULL
 *  @return false when a size is not positive, the channels are not 1, 3 or 4,
 *          it would pass IMAGE_BYTES_MAX, or memory ran out */
bool image_make(struct image *image, int width, int height, int channels,
                struct failure *failure);

/** Free the data and make it an image without pixels. */
void image_free(struct image *image);

/** Read a PNG of any kind: palettes, 1 to 16 bits, interlaced.
 *
 *  Gray stays 1 channel and colour 3; whatever has alpha becomes 4.  16 bits
 *  are reduced to 8.
 *
 *  @param      path     the file
 *  @param[out] image    owned by the caller; all zero after a failure
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with the path: missing, empty, not a
 *          PNG, damaged, cut short, too large */
bool image_read(const char *path, struct image *image,
                struct failure *failure);

/** Write a PNG.  The file appears whole or not at all; an existing one is
 *  replaced only by a whole one.
 *  @param      path     the file
 *  @param[in]  image    with pixels
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with the path */
bool image_write(const char *path, const struct image *image,
                 struct failure *failure);

#endif

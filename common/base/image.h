/* SPDX-License-Identifier: MIT */
/** @file
 *  Images of 8 bits a channel, read from and written to PNG.  Host only. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "failure.h"

#define IMAGE_BYTES_MAX ((size_t)1 << 30) /**< largest image accepted */

/** An image in row-major order, top row first, channels interleaved, without
 *  padding.  All zero is an image without pixels. */
struct image {
    int width;           /**< pixels per row */
    int height;          /**< rows */
    int channels;        /**< 1 gray, 3 red green blue, 4 with alpha */
    unsigned char *data; /**< width * height * channels bytes, owned */
};

/** Bytes of an image's data. */
size_t image_bytes(const struct image *image);

/** Allocate a black image (transparent with 4 channels).
 *  @param[out] image     all zero after a failure
 *  @param      width     pixels per row
 *  @param      height    rows
 *  @param      channels  bytes per pixel
 *  @param[out] failure   the message, or NULL
 *  @return false when a size is not positive, the number of channels is not 1,
 *          3
 *          or 4, the image would exceed IMAGE_BYTES_MAX, or there is no memory
 */
bool image_make(struct image *image, int width, int height, int channels,
                struct failure *failure);

/** Free the data; the image then has no pixels. */
void image_free(struct image *image);

/** Read a PNG file: palettes, 1 to 16 bits per channel, interlaced or not.
 *
 *  Gray images have 1 channel, color images 3, images with alpha 4. 16 bits
 *  are reduced to 8.
 *
 *  @param      path     the file
 *  @param[out] image    owned by the caller; all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with the path: missing, empty, not
 *          a
 *          PNG, damaged, truncated, too large */
bool image_read(const char *path, struct image *image,
                struct failure *failure);

/** Write a PNG file atomically: an existing file is replaced only by a
 *  complete one.
 *  @param      path     the file
 *  @param[in]  image    with pixels
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with the path */
bool image_write(const char *path, const struct image *image,
                 struct failure *failure);

#endif

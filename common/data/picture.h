/* SPDX-License-Identifier: MIT */
/** @file
 *  Picture files of any size: PNG and JPEG, and their resampling to the size of
 *  a network's input.  Host only. */
#ifndef PICTURE_H
#define PICTURE_H

#include "common/base/image.h"

/** Is this the name of a picture: ends in .png, .jpg or .jpeg, in capitals or
 *  not, and is not hidden? */
bool picture_name(const char *name);

/** Read a picture.  The format is found by the file's first bytes, not by its
 *  name.
 *
 *  @param      path     the file
 *  @param[out] image    owned by the caller; all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with the path: missing, empty,
 *          neither PNG nor JPEG, damaged, truncated, too large, a JPEG of four
 *          color components */
bool picture_read(const char *path, struct image *image,
                  struct failure *failure);

/** Read a JPEG file.  @return as picture_read() */
bool jpeg_read(const char *path, struct image *image, struct failure *failure);

/** One channel of an image. */
struct plane {
    const unsigned char *pixels; /**< the first row's first pixel */
    int height, width;           /**< rows, and pixels a row */
    int stride;                  /**< bytes from a pixel to the next one */
};

/** Resample a channel by area: an output pixel is the mean of the pixels that
 *  map to it, rounded; a smaller image is enlarged by repetition.  The same
 *  size copies.
 *  @param[out] to  [height][width] */
void plane_resample(const struct plane *from, int height, int width,
                    unsigned char *to);

/** Resample an image, and convert its channels: alpha is dropped, gray is
 *  repeated, colors become gray by their mean.
 *  @param      channels  1 or 3
 *  @param[out] to        [channels][height][width]
 *  @return false without memory */
bool picture_planes(const struct image *image, int channels, int height,
                    int width, unsigned char *to);

#endif

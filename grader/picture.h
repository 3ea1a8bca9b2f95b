/* SPDX-License-Identifier: MIT */
/** @file
 *  Pictures for `warpbook picture`: what to blur, and the sheet that shows it
 *  before and after.  Host only, trusted process.
 */
#ifndef GRADER_PICTURE_H
#define GRADER_PICTURE_H

#include "common/image.h"

/** Images before and after; all zero is none. */
struct picture {
    int count;            /**< images */
    struct image *before; /**< count of them, of one size */
    struct image *after;  /**< as many, of the same sizes */
};

/** The first 64 test images of Fashion-MNIST, or of the look-alike where the
 *  package is not there (then said on stderr).
 *  @param[out] picture  `after` black; free with picture_free, always
 *  @param[out] failure  the line, or NULL
 *  @return false with one line */
bool picture_of_clothes(struct picture *picture, struct failure *failure);
/** One image from a PNG file.
 *  @param      path     the file
 *  @param[out] picture  `after` black; free with picture_free, always
 *  @param[out] failure  the line, or NULL
 *  @return false with one line */
bool picture_of_file(const char *path, struct picture *picture,
                     struct failure *failure);
/** All images before on the left, after on the right, written as PNG.
 *  @param[in]  picture  all of it
 *  @param      path     the file
 *  @param[out] failure  the line, or NULL
 *  @return false with one line */
bool picture_write(const struct picture *picture, const char *path,
                   struct failure *failure);
/** Free the images. */
void picture_free(struct picture *picture);

#endif

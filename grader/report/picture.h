/* SPDX-License-Identifier: MIT */
/** @file
 *  Images for `warpbook picture`: inputs of the blur, and the contact sheet
 *  that shows them before and after.  Host only.
 */
#ifndef GRADER_PICTURE_H
#define GRADER_PICTURE_H

#include "common/base/image.h"

/** Images before and after; zeroed is empty. */
struct picture {
    int count;            /**< images */
    struct image *before; /**< `count` images */
    struct image *after;  /**< `count` images of the same sizes */
};

/** The first 64 test images of Fashion-MNIST, or of the look-alike set, with a
 *  line on stderr, where the package is not installed.
 *  @param[out] picture  `after` black; free with picture_free, always
 *  @param[out] failure  the error, or NULL
 *  @return false after an error */
bool picture_from_fashion(struct picture *picture, struct failure *failure);
/** One image from a PNG file.
 *  @param      path     the file
 *  @param[out] picture  `after` black; free with picture_free, always
 *  @param[out] failure  the error, or NULL
 *  @return false after an error */
bool picture_from_file(const char *path, struct picture *picture,
                       struct failure *failure);
/** Write all images as PNG: before on the left, after on the right.
 *  @param[in]  picture  all images
 *  @param      path     the file
 *  @param[out] failure  the error, or NULL
 *  @return false after an error */
bool picture_write(const struct picture *picture, const char *path,
                   struct failure *failure);
/** Free the images. */
void picture_free(struct picture *picture);

#endif

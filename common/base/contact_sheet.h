/* SPDX-License-Identifier: MIT */
/** @file
 *  Contact sheets: many small images in one.  Host only. */
#ifndef SHEET_H
#define SHEET_H

#include "image.h"

/** How images are laid out. */
struct sheet_layout {
    int columns;              /**< images per row; the last row may have
                                   fewer */
    int gap;                  /**< pixels between images and around them */
    int scale;                /**< enlargement: a pixel becomes a square of this
                                   side */
    unsigned char background; /**< gray level of the gaps, alpha opaque */
};

/** Draw images of the same size and number of channels on a sheet, row by row.
 *
 *  @param[in]  images   `count` images
 *  @param      count    images
 *  @param[in]  layout   columns, gap, scale, background
 *  @param[out] sheet    owned by the caller; all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false when there is no image, the images differ in size, or the
 *          sheet
 *          would exceed IMAGE_BYTES_MAX */
bool sheet_make(const struct image *images, int count,
                const struct sheet_layout *layout, struct image *sheet,
                struct failure *failure);

#endif

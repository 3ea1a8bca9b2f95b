/* SPDX-License-Identifier: MIT */
/** @file
 *  Contact sheets: many small images on one.  Host only. */
#ifndef SHEET_H
#define SHEET_H

#include "image.h"

/** How images are laid out. */
struct sheet_layout {
    int columns; /**< images a row; the last row may be short */
    int gap;     /**< pixels between images and around them */
    int scale;   /**< side of the square that each pixel becomes */
    unsigned char paper; /**< gray level of the gaps, alpha opaque */
};

/** Lay images of one size and one number of channels on a sheet, row by row.
 *
 *  @param[in]  images   count of them, unchanged
 *  @param      count    images
 *  @param[in]  layout   how
 *  @param[out] sheet    owned by the caller; all zero after a failure
 *  @param[out] failure  the line, or NULL
 *  @return false when there is none, they differ in size, or the sheet would
 *          pass IMAGE_BYTES_MAX */
bool sheet_make(const struct image *images, int count,
                const struct sheet_layout *layout, struct image *sheet,
                struct failure *failure);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  Random data augmentation: from bytes to the network's normalized floats.
 *  Host only. */
#ifndef AUGMENT_H
#define AUGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "dataset.h"

enum { AUGMENT_MAX_CHANNELS = 4 /**< at most */ };

/** Transformations of each image, in this order: random crop, random
 *  horizontal flip, normalization, cutout. */
struct augment {
    int pad;    /**< zero padding on each side before a random crop of the
                     original size; 0: no crop */
    bool flip;  /**< horizontal flip with probability 1/2 */
    int cutout; /**< side of a square set to the mean, its center anywhere in
                     the image; 0: none */
    float mean[AUGMENT_MAX_CHANNELS]; /**< mean of each channel, for pixels from
                                           0 to 1; subtracted */
    float std[AUGMENT_MAX_CHANNELS]; /**< standard deviation of each channel;
                                          the difference is divided by it */
};

/** The random parameters of one image's transformation. */
struct augment_draw {
    int left, top;          /**< corner of the crop in the padded image */
    bool flipped;           /**< flipped horizontally */
    int cutout_x, cutout_y; /**< center of the cutout square; -1: none */
};

/** Draw the random parameters for one image.
 *  @param[in,out] state  random state; advances by the same amount whatever
 *                        the
 *                        options are */
struct augment_draw augment_draw(const struct augment *options,
                                 const struct dataset *set, uint64_t *state);

/** Parameters that only normalize an image. */
struct augment_draw augment_identity(const struct augment *options);

/** Transform one image.
 *  @param      options  the transformations
 *  @param      draw     random parameters of this image
 *  @param      set      the data set
 *  @param      image    index in the set
 *  @param[out] to       [channels][height][width] */
void augment_image(const struct augment *options,
                   const struct augment_draw *draw, const struct dataset *set,
                   size_t image, float *to);

#endif

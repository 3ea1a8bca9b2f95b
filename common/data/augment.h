/* SPDX-License-Identifier: MIT */
/** @file
 *  From bytes to a network's floats, changed at random on the way.
 *  Host only. */
#ifndef AUGMENT_H
#define AUGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "dataset.h"

enum { AUGMENT_CHANNELS = 4 /**< at most */ };

/** What is done to each image: crop, then flip, then normalise, then cut. */
struct augment {
    int pad;     /**< black pixels put round it before a crop of its size is
                      taken at random; 0: none */
    bool flip;   /**< mirrored left to right, half the time */
    int cutout;  /**< side of a square set to the mean, anywhere its centre
                      may fall; 0: none */
    float mean[AUGMENT_CHANNELS];  /**< subtracted, of pixels as 0 to 1 */
    float scale[AUGMENT_CHANNELS]; /**< then divided by */
};

/** What happened to one image. */
struct augment_draw {
    int left, top; /**< the crop's corner, in the padded image */
    bool flipped;  /**< mirrored */
    int cut_x, cut_y; /**< centre of the square; -1: none */
};

/** Draw what happens to one image.
 *  @param[in,out] state  moves on by the same amount whatever is asked for */
struct augment_draw augment_draw(const struct augment *how,
                                 const struct dataset *set, uint64_t *state);

/** What happens to an image that is to stay as it is. */
struct augment_draw augment_nothing(const struct augment *how);

/** Make one image.
 *  @param      how    the rules
 *  @param      draw   what happens to this one
 *  @param      set    where it is
 *  @param      image  its number
 *  @param[out] to     [channels][height][width] */
void augment_image(const struct augment *how, const struct augment_draw *draw,
                   const struct dataset *set, size_t image, float *to);

#endif

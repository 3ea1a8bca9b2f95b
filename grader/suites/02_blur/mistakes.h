/* SPDX-License-Identifier: MIT */
/** @file
 *  Usual mistakes of lab 02.
 */
#ifndef GRADER_SUITES_02_BLUR_MISTAKES_H
#define GRADER_SUITES_02_BLUR_MISTAKES_H

#include <stdint.h>

#include "grader/suite/hypothesis.h"

/** Width, height, channels and radius of one call. */
struct blur_case {
    int width, height, channels, radius;
};

/** An image, to be blurred. */
struct blur_image {
    const uint8_t *in;             /**< bytes of all rows */
    const struct blur_case *shape; /**< their sizes */
};

/** Try windows, edges, divisors and roundings that are wrong.
 *  @param context  a struct blur_image */
mistakes blur_mistakes;

/** The same for kernels with a tile in shared memory, or with two passes. */
void blur_staged_mistakes(struct hypotheses *h, const struct blur_image *image);

/** The same where the pixels that are added are not those that are counted. */
void blur_window_mistakes(struct hypotheses *h, const struct blur_image *image);

#endif

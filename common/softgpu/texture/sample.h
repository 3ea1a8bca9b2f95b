/* SPDX-License-Identifier: MIT */
/** @file
 *  Parts that sampling and gathering share.
 */
#ifndef SOFTGPU_SAMPLE_H
#define SOFTGPU_SAMPLE_H

#include "texel.h"

/** A place in a level. */
struct softgpu_place {
    int dimensions; /**< 1 to 3: coordinates that are filtered */
    float at[3];    /**< the coordinates, as the kernel passed them */
    int64_t slice;  /**< layer or face; 0 in three dimensions */
};

/** The neighbors that linear filtering uses in one dimension.
 *  @param[out] weight  of the second one, a multiple of 1/256 below 1
 *  @return index of the first, which may lie outside */
int64_t softgpu_texture_footprint(const struct softgpu_object *t,
                                  int dimension, float x, int64_t size,
                                  double *weight);

#endif

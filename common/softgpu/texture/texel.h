/* SPDX-License-Identifier: MIT */
/** @file
 *  One element of a texture: its place by address mode, and its components.
 */
#ifndef SOFTGPU_TEXEL_H
#define SOFTGPU_TEXEL_H

#include "object.h"

/** An element's components: bits of floats, or integers of 32 bits. */
struct softgpu_texel {
    uint32_t word[4];
};

/** A coordinate in elements of a level, by address mode; not yet within it.
 *  @param dimension  0 to 2: selects the address mode
 *  @param x          as the kernel passed it
 *  @param size       elements in this dimension */
double softgpu_texture_coordinate(const struct softgpu_object *t,
                                  int dimension, float x, int64_t size);
/** The index of an element that may lie outside.
 *  @return -1: the border */
int64_t softgpu_texture_index(const struct softgpu_object *t, int dimension,
                              int64_t i, int64_t size);
/** Element (x, y, z) of a level, converted as the read mode says; -1 in x, y
 *  or z: the border color. */
struct softgpu_texel softgpu_read_texel(const struct softgpu_object *t,
                                        const struct softgpu_image *level,
                                        const int64_t *at,
                                        const struct softgpu_caller *caller);

#endif

/* SPDX-License-Identifier: MIT */
/** @file
 *  A synthetic data set in the format of Fashion-MNIST: ten classes of 28 x 28
 *  gray shapes that resemble clothes.  For machines without the real files,
 *  and for tests that must know the content.  Host only. */
#ifndef LOOKALIKE_H
#define LOOKALIKE_H

#include <stdint.h>

#include "fashion.h"

/** Generate `count` images in random class order, with balanced classes.
 *
 *  @param      count    images
 *  @param      seed     the same seed gives the same images
 *  @param[out] set      free with fashion_free(); all zero after a failure
 *  @param[out] failure  the message, or NULL
 *  @return false when there is no memory or count is 0 */
bool lookalike_make(size_t count, uint64_t seed, struct fashion *set,
                    struct failure *failure);

/** Generate both splits and write four files with the standard names.
 *
 *  @param      folder   must exist
 *  @param      train    training images
 *  @param      test     test images
 *  @param[out] failure  the message, or NULL
 *  @return false with a message that begins with a file's path */
bool lookalike_write(const char *folder, size_t train, size_t test,
                     struct failure *failure);

#endif

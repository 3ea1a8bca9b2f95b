/* SPDX-License-Identifier: MIT */
/** @file
 *  A generated set with Fashion-MNIST's form: ten classes of 28 x 28 gray
 *  shapes that resemble clothes.  For machines without the real files, and
 *  for tests that must know what is in a set.  Host only. */
#ifndef LOOKALIKE_H
#define LOOKALIKE_H

#include <stdint.h>

#include "fashion.h"

/** Generate `count` images, classes in random order, nearly equal in number.
 *
 *  @param      count    images
 *  @param      seed     the same seed gives the same set
 *  @param[out] set      free with fashion_free; all zero after a failure
 *  @param[out] failure  the line, or NULL
 *  @return false when memory ran out or count is 0 */
bool lookalike_make(size_t count, uint64_t seed, struct fashion *set,
                    struct failure *failure);

/** Generate both parts and write the four files, named as the real ones.
 *
 *  @param      folder   must exist
 *  @param      train    images of the training part
 *  @param      test     images of the test part
 *  @param[out] failure  the line, or NULL
 *  @return false with a line that begins with a file's path */
bool lookalike_write(const char *folder, size_t train, size_t test,
                     struct failure *failure);

#endif

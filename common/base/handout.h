/* SPDX-License-Identifier: MIT */
/** @file
 *  Is a learner's file still the handout?
 */
#ifndef BASE_HANDOUT_H
#define BASE_HANDOUT_H

#include <stdbool.h>

/** Compare a learner's file with the handout byte by byte.
 *  @param path    the learner's file
 *  @param folder  the lab's folder of solutions, absolute
 *  @param file    the step in it that handout.diff patches
 *  @return true when they are equal; false also when one cannot be read */
bool handout_is_unmodified(const char *path, const char *folder,
                           const char *file);

#endif

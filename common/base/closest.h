/* SPDX-License-Identifier: MIT */
/** @file
 *  The name that a person meant who typed another one.
 */
#ifndef BASE_CLOSEST_H
#define BASE_CLOSEST_H

#include <stddef.h>

/** The name nearest to a word, by characters inserted, left out, replaced or
 *  exchanged with their neighbor.
 *  @param word   as typed
 *  @param names  the names there are, `count` of them
 *  @return one of `names`; NULL if none is nearer than two such steps, or than
 *  half of the word */
const char *closest_name(const char *word, const char *const *names,
                         size_t count);

#endif

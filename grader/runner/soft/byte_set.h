/* SPDX-License-Identifier: MIT */
/** @file
 *  Which bytes of an array there were: a bit for each, clear at first.
 */
#ifndef GRADER_RUNNER_SOFT_BYTE_SET_H
#define GRADER_RUNNER_SOFT_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>

/** An empty set for an array of so many bytes, to be freed with free(); without
 *  memory the process ends. */
unsigned char *byte_set_create(size_t bytes);
/** Add bytes `from` to `from + bytes - 1`, all of them in the array. */
void byte_set_add(unsigned char *set, size_t from, size_t bytes);
/** Where bytes may be missing: all before the result are in the set.  Multiples
 *  of 8.
 *  @param from  all before are in the set */
size_t byte_set_missing(const unsigned char *set, size_t from, size_t bytes);
/** Has it bytes `from` to `from + bytes - 1`? */
bool byte_set_has(const unsigned char *set, size_t from, size_t bytes);
/** Has it all of the array's bytes? */
bool byte_set_is_full(const unsigned char *set, size_t bytes);

#endif

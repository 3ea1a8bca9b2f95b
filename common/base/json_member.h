/* SPDX-License-Identifier: MIT */
/** @file
 *  Members of JSON objects of unknown origin: a member that is missing, has
 *  another type or is out of range has a default value.  Host only.
 *
 *  `object` may be NULL or any JSON value; nothing is written to it.
 */
#ifndef BASE_JSON_MEMBER_H
#define BASE_JSON_MEMBER_H

#include <jansson.h>
#include <stdint.h>

/** A string; `missing` (which may be NULL) when there is none.
 *  @return valid as long as `object` */
const char *member_text(const json_t *object, const char *key,
                        const char *missing);
/** An integer that is not negative, or 0. */
uint64_t member_count(const json_t *object, const char *key);
/** An integer from 1 to `max`, or 0. */
int member_int(const json_t *object, const char *key, int max);
/** A number above 0 and below 1e18, or 0. */
double member_number(const json_t *object, const char *key);
/** Three integers from 1 to 2^31 - 1, as of a dim3; each other one is 0. */
void member_index(const json_t *object, const char *key, unsigned index[3]);

#endif

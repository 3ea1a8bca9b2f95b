/* SPDX-License-Identifier: MIT */
/** @file
 *  Parsing the value of a line that describes an array.
 */
#ifndef GRADER_CALLS_ARRAY_H
#define GRADER_CALLS_ARRAY_H

#include "contract.h"

/** Parse `[m][n] inout if beta != 0 else out` (contract.h has the grammar).
 *  @param[in,out] array  `parameter`, `member` and `direction`, the default,
 *                        are set; dims is 0
 *  @param         error  CONTRACT_ERROR bytes
 *  @return false with `error` */
bool parse_array(const char *value, struct array *array, char *error);

#endif

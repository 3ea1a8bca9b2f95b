/* SPDX-License-Identifier: MIT */
/** @file
 *  Hints about errors of CUDA that a call returned or left behind.
 */
#ifndef GRADER_SUITE_ERROR_HINT_H
#define GRADER_SUITE_ERROR_HINT_H

#include <stdint.h>

/** What to look for after the last call.
 *  @param status   what it returned; 0: no error
 *  @param error    what the runtime kept; 0: none
 *  @param printed  the end of stderr
 *  @return a literal, or NULL: nothing is known */
const char *error_hint(int64_t status, int64_t error, const char *printed);

#endif

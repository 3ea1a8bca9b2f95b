/* SPDX-License-Identifier: MIT */
/** @file
 *  Hints about launches that are refused or end with an error.
 */
#ifndef GRADER_SUITE_LAUNCH_HINT_H
#define GRADER_SUITE_LAUNCH_HINT_H

#include <stdint.h>

#include "grader/channel/frame.h"

/** What to look for after this error of the last call, by its arrays and what
 *  the runtime printed.
 *  @param printed  the end of stderr
 *  @return a literal, or NULL: nothing is known */
const char *launch_hint(int64_t error, const struct frame *call,
                        const char *printed);

#endif

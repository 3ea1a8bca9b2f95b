/* SPDX-License-Identifier: MIT */
/** @file
 *  Files that softcc writes.
 *
 *  Each is written in the temporary directory of the process and moved to its
 *  place when it is whole: an error or a signal leaves nothing half written.
 */
#ifndef SOFTCC_OUTPUT_H
#define SOFTCC_OUTPUT_H

#include <stdbool.h>

#include "common/softgpu/softcc/support/arena.h"

/** The path to write a result to before commit_output moves it to `target`:
 *  the target itself if that is a device or a pipe.
 *  @return NULL after a message: the target cannot be written */
const char *create_output(const char *target);
/** Move a result to its place.
 *  @param good  false: remove it instead
 *  @return whether it is in place; if `good`, a message says why not */
bool commit_output(const char *temporary, const char *target, bool good);
/** The path of a new temporary file, which is not made.
 *  @param name  end of its name
 *  @return NULL after a message */
const char *create_temporary(const char *name);
/** Write a text to a temporary file.
 *  @return its path, or /dev/null after a message */
const char *write_temporary_file(const struct buffer *text, const char *name);

#endif

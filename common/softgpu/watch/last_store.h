/* SPDX-License-Identifier: MIT */
/** @file
 *  Which line of a kernel stored what an element of device memory holds.
 */
#ifndef SOFTGPU_WATCH_LAST_STORE_H
#define SOFTGPU_WATCH_LAST_STORE_H

#include <stdbool.h>

#include "common/softgpu/core/source_line.h"

/** The line of the last store to the 4-byte word at an address, by the last
 *  kernel that accessed the word.  No kernel may run.
 *  @param address    in device memory that is allocated
 *  @param[out] line  always written; line 0 when not known: copies, fills and
 *                    libraries are not recorded, nor are blocks that are not
 *                    checked (sampling.h), nor stores without -g
 *  @return whether it is known */
bool softgpu_last_store(const void *address, struct source_line *line);

#endif
